/* In a step program that is compiled for ILP32 (modules/explicit/encode/ilp32_layout.py) the stack pointer has 32 bits,
 * too. */

#define _GNU_SOURCE
#include "low_stack.h"

#include <sys/mman.h>
#include <ucontext.h>

enum { SIZE = 32 * 1024 * 1024, GUARD = 64 * 1024 };

static struct {
    ucontext_t caller, low;
    int (*function)(char **words);
    char **words;
    int result;
} call;

static void make_call(void) { call.result = call.function(call.words); }

int cs_on_low_stack(int (*function)(char **words), char **words)
{
#ifdef MAP_32BIT
    char *stack = mmap(0, SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_32BIT, -1, 0);

    if (stack != MAP_FAILED && mprotect(stack, GUARD, PROT_NONE) == 0 && getcontext(&call.low) == 0) {
        call.function = function;
        call.words = words;
        call.low.uc_stack.ss_sp = stack;
        call.low.uc_stack.ss_size = SIZE;
        call.low.uc_link = &call.caller;
        makecontext(&call.low, make_call, 0);
        swapcontext(&call.caller, &call.low);
        return call.result;
    }
#endif
    return function(words);
}

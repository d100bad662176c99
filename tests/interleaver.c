/* Runs a program of thread functions in all interleavings of their statements, depth first.
 *
 * The threads are coroutines that offer a switch in front of each statement; see interleaver.h for their side.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { THREADS = 6, STACK = 1 << 16 };

extern unsigned char __data_start[], _end[];
extern unsigned __CSEQ_thread;
void program_main(void);

static struct {
    sigjmp_buf start;
    ucontext_t context[THREADS];
    void (*body[THREADS])(void);
    char alive[THREADS];
    char stack[THREADS][STACK];
    unsigned char *memory;
    int depth, length, failures, atomic;
    int value[1000], limit[1000];
    const char *failure[100];
} *explorer;

static int choose(int values)
{
    if (explorer->depth == explorer->length) {
        explorer->value[explorer->length] = 0;
        explorer->limit[explorer->length++] = values;
    }
    return explorer->value[explorer->depth++];
}

void prune(void)
{
    siglongjmp(explorer->start, 1);
}

void fails(const char *what)
{
    int i = 0;

    while (i < explorer->failures && strcmp(explorer->failure[i], what))
        i++;
    if (i == explorer->failures)
        explorer->failure[explorer->failures++] = what;
    prune();
}

void atomic(int change)
{
    explorer->atomic += change;
}

int choose_bool(void)
{
    return choose(2);
}

int choose_waiter(void)
{
    return choose(THREADS);
}

/* Let another thread go on, or this one. */
void offer(void)
{
    int before = __CSEQ_thread, candidates[THREADS], count = 0;

    if (explorer->atomic && explorer->alive[before])
        return;
    for (int i = 0; i < THREADS; i++)
        if (explorer->alive[i])
            candidates[count++] = i;
    if (count == 0)
        prune();
    __CSEQ_thread = candidates[count == 1 ? 0 : choose(count)];
    if ((int)__CSEQ_thread != before)
        swapcontext(&explorer->context[before], &explorer->context[__CSEQ_thread]);
}

static void run(void)
{
    explorer->body[__CSEQ_thread]();
    explorer->alive[__CSEQ_thread] = 0;
    explorer->atomic = 0;
    offer();
}

void start(int thread, void (*body)(void))
{
    getcontext(&explorer->context[thread]);
    explorer->context[thread].uc_stack.ss_sp = explorer->stack[thread];
    explorer->context[thread].uc_stack.ss_size = STACK;
    explorer->context[thread].uc_link = 0;
    makecontext(&explorer->context[thread], run, 0);
    explorer->body[thread] = body;
    explorer->alive[thread] = 1;
}

void leave(void)
{
    explorer->alive[__CSEQ_thread] = 0;
    explorer->atomic = 0;
    offer();
}

static int next(void)
{
    while (explorer->length > 0 && explorer->value[explorer->length - 1] + 1 == explorer->limit[explorer->length - 1])
        explorer->length--;
    if (explorer->length == 0)
        return 0;
    explorer->value[explorer->length - 1]++;
    return 1;
}

int main(void)
{
    long size = _end - __data_start;
    long runs = 0;

    explorer = calloc(1, sizeof *explorer);
    explorer->memory = malloc(size);
    memcpy(explorer->memory, __data_start, size);
    do {
        memcpy(__data_start, explorer->memory, size);
        memset(explorer->alive, 0, sizeof explorer->alive);
        explorer->depth = explorer->atomic = 0;
        if (runs++ > 3000000) {
            puts("too many");
            return 0;
        }
        if (sigsetjmp(explorer->start, 0) == 0) {
            __CSEQ_thread = 0;
            start(0, program_main);
            setcontext(&explorer->context[0]);
        }
    } while (next());
    for (int i = 0; i < explorer->failures; i++)
        puts(explorer->failure[i]);
    return 0;
}

/* `aligned` of variables and types
 * --rounds 2 --unwind 1 */
#include <stdint.h>
#include "../program.h"

typedef char line __attribute__((aligned(64)));

struct wide {
    char tag;
    char value;
} __attribute__((aligned(128)));

static __thread int mine __attribute__((aligned(64)));

static int is_aligned(const void *object, unsigned long to) { return ((uintptr_t)object & (to - 1)) == 0; }

static void *look(void *arg)
{
    char first = 1;
    line second = 2;
    struct wide third = {3, 4};
    static int fourth __attribute__((aligned(32)));
    assert(is_aligned(&mine, 64) && is_aligned(&second, 64) && is_aligned(&third, 128) && is_aligned(&fourth, 32));
    BUGGY(assert(sizeof(struct wide) == 2 * sizeof first);) // FAIL
    REPAIRED(assert(sizeof(struct wide) == 128 * sizeof first && __alignof__(mine) == 64);)
    return arg;
}

int main(void)
{
    START(thread, look);
    look(0);
    return pthread_join(thread, 0);
}

/* `_Generic`
 * --rounds 2 */
#include "../program.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int count;
long total;

static void add_int(int *p) { *p += 1; }
static void add_long(long *p) { __VERIFIER_atomic_begin(); *p += 1; __VERIFIER_atomic_end(); }
#define ADD(x) _Generic((x), int: add_int, long: add_long, default: 0)(&(x))
#define COUNTER TWINS(count, total)


void *worker(void *arg)
{
    ADD(COUNTER);
    return arg;
}

int main(void)
{
    START(t, worker);
    ADD(COUNTER);
    pthread_join(t, 0);
    assert(COUNTER == 2); // FAIL
    return 0;
}

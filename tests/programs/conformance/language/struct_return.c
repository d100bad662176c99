/* a struct that is returned, or passed as an argument, is read member by member
 * --rounds 2 */
#include "../program.h"

struct pair {
    int low, high;
} shared[2];

struct pair get(int i)
{
    return shared[i];
}

int same(struct pair p)
{
    return p.low == p.high;
}

void *thread(void *arg)
{
    __VERIFIER_atomic_begin();
    shared[1].low = 1;
    shared[1].high = 1;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    START(a, thread);
    assert(same(shared[0]));
    BUGGY(assert(same(get(1)));) // FAIL
    REPAIRED(__VERIFIER_atomic_begin();)
    REPAIRED(assert(same(get(1)) && same(shared[1]));)
    REPAIRED(__VERIFIER_atomic_end();)
    pthread_join(a, NULL);
    return 0;
}

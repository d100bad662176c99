/* __atomic_load, __atomic_store, __atomic_exchange, __atomic_compare_exchange
 * --rounds 2 */
#include "../program.h"

struct pair {
    int low, high;
} shared;

void *thread(void *arg)
{
    struct pair mine = {1, 1}, old;
    __atomic_exchange(&shared, &mine, &old, __ATOMIC_SEQ_CST);
    assert(old.low == old.high);
    return NULL;
}

int main(void)
{
    pthread_t a;
    struct pair seen, expected = {0, 0}, wanted = {2, 2};
    pthread_create(&a, NULL, thread, NULL);
    TWINS(seen = shared, __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST));
    assert(seen.low == seen.high); // FAIL
    if (!__atomic_compare_exchange(&shared, &expected, &wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        assert(expected.low == 1 && expected.high == 1);
    pthread_join(a, NULL);
    expected.high = 3;
    __atomic_store(&shared, &expected, __ATOMIC_SEQ_CST);
    assert(shared.high == 3);
    return 0;
}

/* the functions with a memory order: atomic_load_explicit and the others
 * --rounds 2 */
#include <stdatomic.h>
#include "../program.h"

atomic_int data, ready, count;
atomic_flag flag = ATOMIC_FLAG_INIT;

void *thread(void *arg)
{
    REPAIRED(atomic_store_explicit(&data, 5, memory_order_relaxed);)
    atomic_store_explicit(&ready, 1, memory_order_release);
    BUGGY(atomic_store_explicit(&data, 5, memory_order_relaxed);)
    atomic_fetch_add_explicit(&count, 3, memory_order_acq_rel);
    atomic_fetch_sub_explicit(&count, 2, memory_order_acq_rel);
    return NULL;
}

int main(void)
{
    pthread_t a;
    int seen = 1;
    pthread_create(&a, NULL, thread, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(atomic_load_explicit(&data, memory_order_consume) == 5); // FAIL
    pthread_join(a, NULL);
    assert(atomic_compare_exchange_strong_explicit(&count, &seen, 6, memory_order_acq_rel, memory_order_relaxed));
    if (!atomic_compare_exchange_weak_explicit(&count, &seen, 7, memory_order_release, memory_order_relaxed))
        assert(seen == 6);
    assert(atomic_exchange_explicit(&count, 3, memory_order_acquire) == 6);
    assert(atomic_fetch_or_explicit(&count, 4, memory_order_relaxed) == 3);
    assert(atomic_fetch_and_explicit(&count, 6, memory_order_relaxed) == 7);
    assert(atomic_fetch_xor_explicit(&count, 5, memory_order_relaxed) == 6 && count == 3);
    assert(!atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear_explicit(&flag, memory_order_release);
    assert(!atomic_flag_test_and_set(&flag));
    return 0;
}

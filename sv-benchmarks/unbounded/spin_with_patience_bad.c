/*
 * A spin lock with an `atomic_flag`; a thread spins as long as its patience
 * lasts, which is any number.
 *
 * Who has lost patience goes in.
 *
 *   t1: takes the lock | t2: has no patience, goes in
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);

atomic_flag held = ATOMIC_FLAG_INIT;
int cell;

void *visitor(void *arg)
{
    unsigned patience = __VERIFIER_nondet_uint();

    (void)arg;
    while (atomic_flag_test_and_set(&held)) {
        if (patience == 0)
            break;
        patience--;
    }
    cell = 1;
    assert(cell == 1); // FAIL
    cell = 0;
    atomic_flag_clear(&held);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, visitor, NULL);
}

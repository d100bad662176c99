/*
 * A lock that is only tried when it looks free, with atomics of C11, and
 * threads without end that write any number under it.
 *
 * The exchange says who got it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

atomic_int held;
int message;

static void acquire(void)
{
    for (;;) {
        while (atomic_load(&held))
            ;
        if (!atomic_exchange(&held, 1))
            return;
    }
}

void *author(void *arg)
{
    int mine = __VERIFIER_nondet_int();

    (void)arg;
    acquire();
    message = mine;
    assert(message == mine);
    atomic_store(&held, 0);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, author, NULL);
}

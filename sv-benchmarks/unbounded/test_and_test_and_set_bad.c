/*
 * A lock that is only tried when it looks free, with atomics of C11, and
 * threads without end that write any number under it.
 *
 * Who has seen it free takes it without asking.
 *
 *   t1: sees it free | t2: sees it free, takes it, writes | t1: takes it, writes
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
        atomic_store(&held, 1);
        return;
    }
}

void *author(void *arg)
{
    int mine = __VERIFIER_nondet_int();

    (void)arg;
    acquire();
    message = mine;
    assert(message == mine); // FAIL
    atomic_store(&held, 0);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, author, NULL);
}

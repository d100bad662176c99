/*
 * A worker leaves by pthread_exit, from a function that it calls.
 *
 * What comes after the call is not done when there is nothing to do, and
 * main waits for it in vain.
 *
 *   t1: nothing to do, ends | main: joins t1, nothing was reported
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int todo = 0;
int reported = 0;

void leave_if_idle(void)
{
    if (todo <= 0)
        pthread_exit(NULL);
}

void *worker(void *arg)
{
    (void)arg;
    leave_if_idle();
    reported = 1;
    todo--;
    return NULL;
}

int main(void)
{
    pthread_t t1;

    todo = __VERIFIER_nondet_int();
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(reported == 1); // FAIL
    return 0;
}

/*
 * A worker leaves by pthread_exit, from a function that it calls.
 *
 * What main relies on is done before that call.
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
    reported = 1;
    leave_if_idle();
    todo--;
    return NULL;
}

int main(void)
{
    pthread_t t1;

    todo = __VERIFIER_nondet_int();
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(reported == 1);
    return 0;
}

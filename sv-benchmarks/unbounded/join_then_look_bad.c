/*
 * Main gives one job after the other to a thread, without end, and looks at
 * the result.
 *
 * It waits for the thread after it has looked.
 *
 *   main: looks | t1: sets the result
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int job, result;

void *worker(void *arg)
{
    (void)arg;
    result = job > 0 ? 1 : -1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;) {
        job = __VERIFIER_nondet_int();
        result = 0;
        pthread_create(&t, NULL, worker, NULL);
        assert(result != 0); // FAIL
        pthread_join(t, NULL);
    }
}

/*
 * main detaches a worker, so it cannot join it.
 *
 * main uses the result without waiting for it.
 *
 *   main: creates and detaches t1, the result is not there
 */
#include <assert.h>
#include <pthread.h>

int result = 0;
int done = 0;

void *worker(void *arg)
{
    (void)arg;
    result = 5;
    done = 1;
    return NULL;
}

int main(void)
{
    pthread_t t1;

    pthread_create(&t1, NULL, worker, NULL);
    pthread_detach(t1);
    assert(result == 5); // FAIL
    return 0;
}

/*
 * main detaches a worker, so it cannot join it.
 *
 * main waits for a flag that the worker raises.
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
    while (done == 0)
        ;
    assert(result == 5);
    return 0;
}

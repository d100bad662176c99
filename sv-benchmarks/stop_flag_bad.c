/*
 * A worker uses a resource until it is told to stop.
 *
 * main closes the resource before it has stopped the worker.
 *
 *   main: creates t1, closes | t1: not stopped, uses the closed resource
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool open = true;
bool stop = false;

void *worker(void *arg)
{
    (void)arg;
    while (!stop) {
        assert(open); // FAIL
    }
    return NULL;
}

int main(void)
{
    pthread_t t1;

    pthread_create(&t1, NULL, worker, NULL);
    open = false;
    stop = true;
    pthread_join(t1, NULL);
    return 0;
}

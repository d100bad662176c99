/*
 * A worker uses a resource until it is told to stop.
 *
 * main closes the resource after it has stopped and joined the worker.
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
        assert(open);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1;

    pthread_create(&t1, NULL, worker, NULL);
    stop = true;
    pthread_join(t1, NULL);
    open = false;
    return 0;
}

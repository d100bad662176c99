/*
 * main initialises a mutex for a worker.
 *
 * It does so after the worker was created, which may already be using it.
 *
 *   main: creates t1 | t1: locks the mutex, which is zero | main: initialises it | t1: unlocks what it does not hold
 */
#include <pthread.h>

pthread_mutex_t lock;
int counter = 0;

void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1;

    pthread_create(&t1, NULL, worker, NULL);
    pthread_mutex_init(&lock, NULL);
    pthread_join(t1, NULL);
    pthread_mutex_destroy(&lock);
    return 0;
}

/*
 * main runs two workers one after the other; both use the same mutex.
 *
 * main destroys the mutex after the first worker, the second one locks it.
 *
 *   main: creates t1 | t1: ends | main: joins t1, destroys the mutex, creates t2
 *   | t2: locks a destroyed mutex
 */
#include <pthread.h>

pthread_mutex_t lock;
int counter = 0;

void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock); // FAIL
    counter++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_mutex_init(&lock, NULL);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_mutex_destroy(&lock);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t2, NULL);
    return 0;
}

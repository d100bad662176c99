/*
 * main runs two workers one after the other; both use the same mutex.
 *
 * main destroys the mutex after it has joined the second worker.
 */
#include <pthread.h>

pthread_mutex_t lock;
int counter = 0;

void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
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
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t2, NULL);
    pthread_mutex_destroy(&lock);
    return 0;
}

/*
 * One producer, two consumers, one place, two condition variables, for ever.
 *
 * A consumer takes a wake-up for a promise.
 *
 *   t2: waits | t1: fills the place, signals | t3: takes it | t2: takes nothing
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int items;

void *producer(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (items == 1)
            pthread_cond_wait(&emptied, &lock);
        items++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
}

void *consumer(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        if (items == 0)
            pthread_cond_wait(&filled, &lock);
        assert(items == 1); // FAIL
        items--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_create(&t3, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    return 0;
}

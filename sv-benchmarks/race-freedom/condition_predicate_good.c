/*
 * A condition variable with its predicate.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_there, item;

static void *producer(void *arg)
{
    item = 1;
    pthread_mutex_lock(&lock);
    is_there = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!is_there)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    item = 2;
    return arg;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return item != 2;
}

/*
 * A consumer waits on a condition variable for an item.
 *
 * It looks at the item when it has let go of the lock, and the producer may
 * be about to replace the item by the next one.
 *
 *   consumer: has unlocked, is about to load item | producer: is about to store it again
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static bool full;
static int item;

static void put(int value)
{
    pthread_mutex_lock(&lock);
    item = value; // RACE
    full = true;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static void *producer(void *arg)
{
    (void)arg;
    put(1);
    put(2);
    return NULL;
}

static void *consumer(void *arg)
{
    int *taken = arg;

    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
    *taken = item; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int taken = 0;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, &taken);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return taken > 2;
}

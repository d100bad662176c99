/*
 * A queue with a semaphore that counts its items, and one as a lock.
 *
 *   consumer: has the lock, waits for an item | producer: waits for the lock
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t items, lock;
static int queue;

static void *producer(void *arg)
{
    (void)arg;
    sem_wait(&lock); // DEADLOCK
    queue++;
    sem_post(&lock);
    sem_post(&items);
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    sem_wait(&lock);
    sem_wait(&items); // DEADLOCK
    queue--;
    sem_post(&lock);
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    sem_init(&items, 0, 0);
    sem_init(&lock, 0, 1);
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    assert(queue == 0);
    sem_destroy(&items);
    sem_destroy(&lock);
    return 0;
}

/*
 * A bounded buffer: two counting semaphores and a mutex, as in the textbooks.
 *
 * The producer locks the buffer and then waits for a free slot.  Nobody can get in
 * to make one free.
 *
 *   t1: fills the slot, locks the buffer, waits for a free slot
 *   | t2: there is something, waits for the lock
 */
#include <pthread.h>
#include <semaphore.h>

#define ITEMS 2

pthread_mutex_t buffer = PTHREAD_MUTEX_INITIALIZER;
sem_t free_slots, items;
int slot;
int sum;

void *producer(void *arg)
{
    (void)arg;
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&buffer);
        sem_wait(&free_slots); // DEADLOCK
        slot = i;
        pthread_mutex_unlock(&buffer);
        sem_post(&items);
    }
    return NULL;
}

void *consumer(void *arg)
{
    (void)arg;
    for (int i = 1; i <= ITEMS; i++) {
        sem_wait(&items);
        pthread_mutex_lock(&buffer); // DEADLOCK
        sum += slot;
        pthread_mutex_unlock(&buffer);
        sem_post(&free_slots);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    sem_init(&free_slots, 0, 1);
    sem_init(&items, 0, 0);
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return sum;
}

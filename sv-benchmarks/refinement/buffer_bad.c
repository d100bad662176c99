/*
 * A buffer of two places, between a producer and a consumer.  There is
 * room for three, so the producer can overwrite what nobody has taken yet: this is no
 * queue.  Buffer_bad.tla extends the program's module to say so.
 */
#include <pthread.h>
#include <semaphore.h>

sem_t room, filled;
int slots[2];
int put, taken;

void *producer(void *unused)
{
    for (int i = 1; i <= 3; i++) {
        sem_wait(&room);
        slots[put % 2] = i;
        put = put + 1;
        sem_post(&filled);
    }
    return 0;
}

void *consumer(void *unused)
{
    for (int i = 1; i <= 3; i++) {
        sem_wait(&filled);
        taken = taken + 1;
        sem_post(&room);
    }
    return 0;
}

int main(void)
{
    pthread_t one, other;

    sem_init(&room, 0, 3);
    sem_init(&filled, 0, 0);
    pthread_create(&one, 0, producer, 0);
    pthread_create(&other, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return slots[0] + slots[1] + put - taken - 5;
}

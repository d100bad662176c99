/*
 * Readers and writers: the first reader takes the room for all readers, and holds
 * their mutex while it waits for it.
 *
 * A writer looks, inside of the room, how many readers there are.  The number is
 * under the mutex of the readers.
 *
 *   t2: takes the room | t1: locks the mutex, waits for the room
 *   | t2: waits for the mutex
 */
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t room;
int readers;
int text;
int disturbed;

static int reader_count(void)
{
    int count;

    pthread_mutex_lock(&mutex); // DEADLOCK
    count = readers;
    pthread_mutex_unlock(&mutex);
    return count;
}

void *writer(void *arg)
{
    (void)arg;
    sem_wait(&room);
    disturbed = reader_count();
    text++;
    sem_post(&room);
    return NULL;
}

void *reader(void *arg)
{
    pthread_mutex_lock(&mutex); // DEADLOCK
    if (++readers == 1)
        sem_wait(&room); // DEADLOCK
    pthread_mutex_unlock(&mutex);

    *(int *)arg = text;

    pthread_mutex_lock(&mutex);
    if (--readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    int seen[2];
    pthread_t t1, t2, t3;

    sem_init(&room, 0, 1);
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, &seen[0]);
    pthread_create(&t3, NULL, reader, &seen[1]);
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}

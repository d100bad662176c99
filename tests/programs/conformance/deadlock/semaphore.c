/* sem_wait: no thread posts
 * --deadlock --rounds 2 */
#include <semaphore.h>
#include "../program.h"

sem_t items, lock;

void *producer(void *arg)
{
    sem_wait(&lock); // DEADLOCK
    sem_post(&items);
    sem_post(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&items, 0, 0);
    sem_init(&lock, 0, 1);
    pthread_create(&t, 0, producer, 0);
    REPAIRED(sem_wait(&items);)
    sem_wait(&lock);
    BUGGY(sem_wait(&items);) // DEADLOCK
    sem_post(&lock);
    pthread_join(t, 0);
    return 0;
}

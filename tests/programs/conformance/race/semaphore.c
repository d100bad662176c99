/* a semaphore that is a lock
 * --race --rounds 7
 */
#include <pthread.h>
#include <semaphore.h>
#include "../twins.h"

sem_t s;
int x;

void *one(void *arg)
{
    sem_wait(&s);
    x++; // RACE
    sem_post(&s);
    return 0;
}

void *two(void *arg)
{
    sem_wait(&s);
    x--; // RACE
    sem_post(&s);
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    TWINS(sem_init(&s, 0, 2), sem_init(&s, 0, 1));
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

/* a semaphore that is a lock
 * --race --rounds 7 */
#include <semaphore.h>
#include "../program.h"

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
    TWINS(sem_init(&s, 0, 2), sem_init(&s, 0, 1));
    TWO_THREADS(one, two);
    return 0;
}

/* `sem_getvalue` stores the value
 * --race --rounds 5
 */
#include <pthread.h>
#include <semaphore.h>
#include "../twins.h"

sem_t s;
int value, other;

void *one(void *arg)
{
    sem_getvalue(&s, &value); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(value = 1, other = 1); // RACE
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    sem_init(&s, 0, 2);
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

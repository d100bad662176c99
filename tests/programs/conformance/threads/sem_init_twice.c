/* sem_init: the semaphore is already initialised
 * --rounds 2
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t *object;

void *initialises(void *unused)
{
#ifndef BUG
    sem_destroy(object);
#endif
    sem_init(object, 0, 1); // FAIL
    return 0;
}

int main(void)
{
    pthread_t other;
    object = malloc(sizeof *object);
    sem_init(object, 0, 1);
    pthread_create(&other, 0, initialises, 0);
    pthread_join(other, 0);
    return 0;
}

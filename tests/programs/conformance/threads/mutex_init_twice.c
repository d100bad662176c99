/* pthread_mutex_init: the mutex is already initialised
 * --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t *object;

void *initialises(void *unused)
{
#ifndef BUG
    pthread_mutex_destroy(object);
#endif
    pthread_mutex_init(object, 0); // FAIL
    return 0;
}

int main(void)
{
    pthread_t other;
    object = malloc(sizeof *object);
    pthread_mutex_init(object, 0);
    pthread_create(&other, 0, initialises, 0);
    pthread_join(other, 0);
    return 0;
}

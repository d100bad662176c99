/* pthread_barrier_init: the barrier is already initialised
 * --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

pthread_barrier_t *object;

void *initialises(void *unused)
{
#ifndef BUG
    pthread_barrier_destroy(object);
#endif
    pthread_barrier_init(object, 0, 2); // FAIL
    return 0;
}

int main(void)
{
    pthread_t other;
    object = malloc(sizeof *object);
    pthread_barrier_init(object, 0, 2);
    pthread_create(&other, 0, initialises, 0);
    pthread_join(other, 0);
    return 0;
}

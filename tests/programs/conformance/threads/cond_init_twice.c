/* pthread_cond_init: the condition variable is already initialised
 * --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

pthread_cond_t *object;

void *initialises(void *unused)
{
#ifndef BUG
    pthread_cond_destroy(object);
#endif
    pthread_cond_init(object, 0); // FAIL
    return 0;
}

int main(void)
{
    pthread_t other;
    object = malloc(sizeof *object);
    pthread_cond_init(object, 0);
    pthread_create(&other, 0, initialises, 0);
    pthread_join(other, 0);
    return 0;
}

/* pthread_rwlock_init: the lock is already initialised
 * --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

pthread_rwlock_t *object;

void *initialises(void *unused)
{
#ifndef BUG
    pthread_rwlock_destroy(object);
#endif
    pthread_rwlock_init(object, 0); // FAIL
    return 0;
}

int main(void)
{
    pthread_t other;
    object = malloc(sizeof *object);
    pthread_rwlock_init(object, 0);
    pthread_create(&other, 0, initialises, 0);
    pthread_join(other, 0);
    return 0;
}

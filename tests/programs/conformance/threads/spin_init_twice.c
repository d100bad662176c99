/* pthread_spin_init: the lock is already initialised
 * --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

pthread_spinlock_t *object;

void *initialises(void *unused)
{
#ifndef BUG
    pthread_spin_destroy(object);
#endif
    pthread_spin_init(object, PTHREAD_PROCESS_PRIVATE); // FAIL
    return 0;
}

int main(void)
{
    pthread_t other;
    object = malloc(sizeof *object);
    pthread_spin_init(object, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&other, 0, initialises, 0);
    pthread_join(other, 0);
    return 0;
}

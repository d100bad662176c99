/* pthread_barrier_destroy: the barrier has already been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_barrier_t barrier;

int main(void)
{
    pthread_barrier_init(&barrier, 0, 1);
    pthread_barrier_destroy(&barrier);
#ifndef BUG
    pthread_barrier_init(&barrier, 0, 1);
#endif
    pthread_barrier_destroy(&barrier); // FAIL
    return 0;
}

/* pthread_barrier_wait: the barrier has been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_barrier_t barrier;

int main(void)
{
    pthread_barrier_init(&barrier, 0, 1);
#ifdef BUG
    pthread_barrier_destroy(&barrier);
#endif
    pthread_barrier_wait(&barrier); // FAIL
    return 0;
}

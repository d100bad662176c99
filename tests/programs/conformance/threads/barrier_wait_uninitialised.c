/* pthread_barrier_wait: the barrier was never initialised
 * --rounds 1
 */
#include <pthread.h>

pthread_barrier_t barrier;

int main(void)
{
#ifndef BUG
    pthread_barrier_init(&barrier, 0, 1);
#endif
    pthread_barrier_wait(&barrier); // FAIL
    return 0;
}

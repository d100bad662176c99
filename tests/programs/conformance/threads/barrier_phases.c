/* pthread_barrier_wait for one phase after the other
 * --rounds 3 */
#include "../program.h"

pthread_barrier_t barrier;
int left, right;

void *worker(void *unused)
{
    right = 1;
    pthread_barrier_wait(&barrier);
    REPAIRED(pthread_barrier_wait(&barrier);)
    right = 2;
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&other, 0, worker, 0);
    pthread_barrier_wait(&barrier);
    left = right;
    REPAIRED(pthread_barrier_wait(&barrier);)
    assert(left == 1); // FAIL
    return 0;
}

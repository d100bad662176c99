/* pthread_barrier_wait: short of one
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_barrier_t barrier;

void *worker(void *arg)
{
    pthread_barrier_wait(&barrier); // DEADLOCK
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    REPAIRED(pthread_barrier_wait(&barrier);)
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}

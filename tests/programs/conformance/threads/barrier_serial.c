/* PTHREAD_BARRIER_SERIAL_THREAD is returned to one thread only
 * --rounds 2 */
#include "../program.h"

pthread_barrier_t barrier;
int finished;

void *part(void *unused)
{
    int result = pthread_barrier_wait(&barrier);
    BUGGY(result = PTHREAD_BARRIER_SERIAL_THREAD;)
    if (result == PTHREAD_BARRIER_SERIAL_THREAD)
        finished++;
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&other, 0, part, 0);
    part(0);
    pthread_join(other, 0);
    assert(finished == 1); // FAIL
    return 0;
}

/* pthread_barrierattr_init, pthread_barrierattr_setpshared, pthread_barrierattr_getpshared, pthread_barrierattr_destroy
 * --rounds 2 */
#include "../program.h"

pthread_barrier_t barrier;
int ready;

void *part(void *unused)
{
    ready = 1;
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_barrierattr_t attr;
    int shared;
    pthread_barrierattr_init(&attr);
    pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_getpshared(&attr, &shared);
    pthread_barrier_init(&barrier, &attr, 1 + shared);
    pthread_barrierattr_destroy(&attr);
    pthread_create(&other, 0, part, 0);
    REPAIRED(pthread_barrier_wait(&barrier);)
    assert(ready == 1); // FAIL
    return 0;
}

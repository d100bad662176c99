/* pthread_barrier_destroy: a thread waits at the barrier
 * --rounds 2 */
#include <stdlib.h>
#include "../program.h"

void __VERIFIER_atomic_begin(void);

pthread_barrier_t barrier;

void *part(void *unused)
{
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&other, 0, part, 0);
    TWINS(__VERIFIER_atomic_begin(), pthread_barrier_wait(&barrier));
    pthread_barrier_destroy(&barrier); // FAIL
    exit(0);
}

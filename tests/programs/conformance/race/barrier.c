/* a barrier between two accesses
 * --race --rounds 6 */
#include "../program.h"

pthread_barrier_t b;
int x;

void *one(void *arg)
{
    x = 1; // RACE
    pthread_barrier_wait(&b);
    return 0;
}

void *two(void *arg)
{
    REPAIRED(pthread_barrier_wait(&b);)
    x = 2; // RACE
    BUGGY(pthread_barrier_wait(&b);)
    return 0;
}

int main(void)
{
    pthread_barrier_init(&b, 0, 2);
    TWO_THREADS(one, two);
    return 0;
}

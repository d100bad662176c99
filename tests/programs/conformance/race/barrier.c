/* a barrier between two accesses
 * --race --rounds 6
 */
#include <pthread.h>
#include "../twins.h"

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
    pthread_t t1, t2;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

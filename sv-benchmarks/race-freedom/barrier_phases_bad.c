/*
 * Each thread reads its neighbour's cell in the second phase.
 *
 * Wrong: without the barrier.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static pthread_barrier_t phase;
static int first[N], second[N];

static void *work(void *arg)
{
    long me = (long)arg;

    first[me] = (int)me;
    second[me] = first[(me + 1) % N];
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    pthread_barrier_init(&phase, NULL, N);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

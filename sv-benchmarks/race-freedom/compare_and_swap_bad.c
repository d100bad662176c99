/*
 * A lock by compare-and-swap.
 *
 * Wrong: it is taken also where it was taken already.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define N 2

static atomic_int taken;
static int total;

static void *work(void *arg)
{
    int expected = 0;

    while (!atomic_compare_exchange_strong(&taken, &expected, 1))
        expected = 1;
    total += (int)(long)arg;
    atomic_store(&taken, 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

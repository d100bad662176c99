/*
 * Each thread counts in a cell of an array.
 *
 * Wrong: the first two threads share one.
 */
#include <pthread.h>
#include <stddef.h>

#define N 3

static int counts[N];

static void *work(void *arg)
{
    long me = (long)arg;

    for (int k = 0; k < 100; k++)
        counts[me / 2]++;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    counts[0] += counts[1] + counts[2];
    return 0;
}

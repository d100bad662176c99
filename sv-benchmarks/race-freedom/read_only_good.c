/*
 * A table that is filled before the threads exist.
 */
#include <pthread.h>
#include <stddef.h>

#define N 3

static int squares[8], sums[N];

static void *work(void *arg)
{
    long me = (long)arg;

    sums[me] = squares[me] + squares[me + 1];
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < 8; i++)
        squares[i] = i * i;

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

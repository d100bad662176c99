/*
 * Each thread fills a range of an array.
 */
#include <pthread.h>
#include <stddef.h>

#define N 3

static int table[3 * N + 1];

static void *work(void *arg)
{
    long me = (long)arg;

    for (long k = 3 * me; k < 3 * me + 3; k++)
        table[k] = (int)me;
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

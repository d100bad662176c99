/*
 * Statistics of each thread are summed after the joins.
 */
#include <pthread.h>
#include <stddef.h>

#define N 3

static struct statistics {
    int hits;
    long bytes;
} statistics[N];

static void *work(void *arg)
{
    struct statistics *mine = &statistics[(long)arg];

    for (int k = 0; k < 50; k++) {
        mine->hits++;
        mine->bytes += k;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < N; i++)
        statistics[0].hits += statistics[i].hits;
    return 0;
}

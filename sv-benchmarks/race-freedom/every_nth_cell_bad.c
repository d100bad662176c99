/*
 * Each thread has every Nth cell.
 *
 * Wrong: the step is smaller.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static int cells[4 * N];

static void *work(void *arg)
{
    for (long k = (long)arg; k < 4 * N; k += N - 1)
        cells[k]++;
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

/*
 * Each thread fills a row of a matrix.
 */
#include <pthread.h>
#include <stddef.h>

#define N 3

static int matrix[N][N];

static void *work(void *arg)
{
    long me = (long)arg;

    for (int k = 0; k < N; k++) {
        matrix[me][k] = 1;
        matrix[me][k]++;
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
    return 0;
}

/*
 * A counter of each thread's own.
 *
 * Wrong: it is not thread-local.
 */
#include <pthread.h>
#include <stddef.h>

#define N 3

static int depth;

static void *work(void *arg)
{
    for (int k = 0; k < 10; k++)
        depth += (int)(long)arg;
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

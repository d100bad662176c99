/*
 * A block of each thread's own under a key.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#define N 2

static pthread_key_t key;
static int common;

static void *work(void *arg)
{
    int *mine = malloc(sizeof *mine);

    if (!mine)
        return NULL;
    *mine = (int)(long)arg;
    pthread_setspecific(key, mine);
    mine = pthread_getspecific(key);
    ++*mine;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    pthread_key_create(&key, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

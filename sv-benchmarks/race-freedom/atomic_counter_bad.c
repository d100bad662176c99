/*
 * A counter that is atomic everywhere.
 *
 * Wrong: it is also read as a plain number.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define N 2

static atomic_int hits;
static int seen[N];

static void *work(void *arg)
{
    atomic_fetch_add(&hits, 1);
    seen[(long)arg] = *(int *)&hits;
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

/*
 * A count of references under a lock; the last user is alone.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int references = N, is_closed;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    int left = --references;
    if (!left)
        is_closed = 1;
    pthread_mutex_unlock(&lock);
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

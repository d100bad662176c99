/*
 * A count of references under a lock; the last user is alone.
 *
 * Wrong: it is not looked at under the lock.
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
    pthread_mutex_unlock(&lock);
    if (left < N)
        is_closed = 1;
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

/*
 * Two flags of an object under one lock.
 *
 * Wrong: one flag has a lock of its own, but they share a byte.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned is_open : 1, is_dirty : 1;
} file;

static void *work(void *arg)
{
    pthread_mutex_t *second = &own;

    pthread_mutex_lock(&lock);
    file.is_open = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(second);
    file.is_dirty = (long)arg & 1;
    pthread_mutex_unlock(second);
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

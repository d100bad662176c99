/*
 * A cache under a read-write lock.
 *
 * Wrong: it is filled by a reader.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached, is_valid, results[N];

static void *work(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    int found = is_valid;
    results[(long)arg] = cached;
    pthread_rwlock_unlock(&lock);
    if (!found) {
        pthread_rwlock_rdlock(&lock);
        cached = 5;
        is_valid = 1;
        pthread_rwlock_unlock(&lock);
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

/*
 * Double-checked locking with an atomic flag.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define N 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_ready;
static int config, results[N];

static void *work(void *arg)
{
    if (!atomic_load(&is_ready)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&is_ready)) {
            config = 7;
            atomic_store(&is_ready, 1);
        }
        pthread_mutex_unlock(&lock);
    }
    results[(long)arg] = config;
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

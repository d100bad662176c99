/*
 * A spin lock of gcc's builtins.
 *
 * Wrong: it is released before the access.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static int taken, total;

static void *work(void *arg)
{
    while (__sync_lock_test_and_set(&taken, 1))
        ;
    __sync_lock_release(&taken);
    total += (int)(long)arg;
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

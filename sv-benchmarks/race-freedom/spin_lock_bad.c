/*
 * A spin lock of POSIX.
 *
 * Wrong: it is released too early.
 */
#include <pthread.h>
#include <stddef.h>

#define N 3

static pthread_spinlock_t lock;
static int total;

static void *work(void *arg)
{
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    total += (int)(long)arg;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

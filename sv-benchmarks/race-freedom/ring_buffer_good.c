/*
 * A ring with one lock.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ring[4];
static unsigned head, tail;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    if (head - tail < 4) {
        unsigned slot = head++ % 4;
        ring[slot] = (int)(long)arg;
    }
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (head != tail)
        ring[tail++ % 4] = 0;
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

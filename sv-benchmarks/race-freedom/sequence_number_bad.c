/*
 * Numbers are drawn under a lock.
 *
 * Wrong: one is drawn without it.
 */
#include <pthread.h>
#include <stddef.h>

#define N 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sequence, mine[N];

static int draw(void)
{
    pthread_mutex_lock(&lock);
    int drawn = ++sequence;
    pthread_mutex_unlock(&lock);
    return drawn;
}

static void *work(void *arg)
{
    mine[(long)arg] = sequence;
    mine[(long)arg] += draw();
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

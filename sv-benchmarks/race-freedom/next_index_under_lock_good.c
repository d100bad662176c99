/*
 * Threads take the next job's index under a lock.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next, jobs[4];

static void *work(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int mine = next++;
        pthread_mutex_unlock(&lock);
        if (mine >= 4)
            break;
        jobs[mine] = (int)(long)arg;
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

/*
 * Threads are counted under a lock instead of joined.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int results[2], ended;

static void *work(void *arg)
{
    results[(long)arg] = 1;
    pthread_mutex_lock(&lock);
    ended++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    for (long i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, work, (void *)i);
        pthread_detach(thread);
    }
    pthread_mutex_lock(&lock);
    while (ended < 2)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return results[0] + results[1] != 2;
}

/*
 * A thread is cancelled between two changes, while it has the mutex.
 *
 *   worker: has locked | main: cancels it | worker: ends at the cancellation point | main: waits for the mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int changes;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    changes++;
    pthread_testcancel();
    changes++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_mutex_lock(&lock); // DEADLOCK
    int seen = changes;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(seen >= 0 && seen <= 2);
    return 0;
}

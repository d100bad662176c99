/* A thread is cancelled between two changes; a clean-up handler unlocks the mutex. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int changes;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    changes++;
    pthread_testcancel();
    changes++;
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_mutex_lock(&lock);
    int seen = changes;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(seen >= 0 && seen <= 2);
    return 0;
}

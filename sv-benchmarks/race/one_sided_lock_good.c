/*
 * A worker counts what it has done, and main shows how far it is.
 *
 * Both take the lock.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    done += 10;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int shown;

    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    shown = done;
    pthread_mutex_unlock(&lock);
    assert(shown <= 100);
    pthread_join(t, NULL);
    return 0;
}

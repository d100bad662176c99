/*
 * A worker counts what it has done, and main shows how far it is.
 *
 * Only the worker takes the lock: "reading an int is atomic anyway".
 *
 *   worker: has the lock, is about to store done | main: is about to load done
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
    done += 10; // RACE
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int shown;

    pthread_create(&t, NULL, worker, NULL);
    shown = done; // RACE
    assert(shown <= 100);
    pthread_join(t, NULL);
    return 0;
}

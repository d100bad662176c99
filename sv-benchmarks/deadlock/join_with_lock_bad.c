/*
 * Main stops a worker under a lock, and waits for its end.
 *
 * It waits with the lock in its hands, and the worker needs the lock once more.
 *
 *   main: locks the state, joins t1 | t1: waits for the state
 */
#include <pthread.h>

pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
int stopped;
int done;

void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&state); // DEADLOCK
    if (!stopped)
        done++;
    pthread_mutex_unlock(&state);
    return NULL;
}

static void stop(pthread_t thread)
{
    pthread_mutex_lock(&state);
    stopped = 1;
    pthread_join(thread, NULL); // DEADLOCK
    pthread_mutex_unlock(&state);
}

int main(void)
{
    pthread_t t1;

    pthread_create(&t1, NULL, worker, NULL);
    stop(t1);
    return done;
}

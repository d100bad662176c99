/*
 * Lazy initialisation: the first user makes the one instance.
 *
 * The flag is tested outside the lock only, so two threads can both decide
 * that the instance is still missing.
 *
 *   t1: not ready | t2: not ready, makes the instance | t1: makes another one
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ready = 0;
int instances = 0;

void *user(void *arg)
{
    (void)arg;
    if (!ready) {
        pthread_mutex_lock(&lock);
        instances++;
        ready = 1;
        pthread_mutex_unlock(&lock);
    }
    assert(instances == 1); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

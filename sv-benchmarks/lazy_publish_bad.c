/*
 * Double-checked initialisation: the first user computes a value, the others
 * find it without taking the lock.
 *
 * The flag is raised before the value is stored.  A thread that looks at the
 * flag without the lock can use a value that is not there yet.
 *
 *   t1: locks, raises the flag | t2: sees the flag, uses the value 0
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ready = 0;
int value = 0;

void *user(void *arg)
{
    (void)arg;
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            ready = 1;
            value = 42;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(value == 42); // FAIL
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

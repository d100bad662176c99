/*
 * Double-checked initialisation: the first user computes a value, the others
 * find it without taking the lock.
 *
 * The value is stored before the flag is raised, so whoever sees the flag
 * sees the value.
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
            value = 42;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(value == 42);
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

/*
 * Lazy initialisation: the first user makes the one instance.
 *
 * The flag is tested again under the lock (double-checked), so the second
 * thread finds the instance that the first one has made.
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
        if (!ready) {
            instances++;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(instances == 1);
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

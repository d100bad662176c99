/*
 * Two threads count what they drop, if the lock is free.
 *
 * Who does not get the lock does not count.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int dropped;

static void *drop(void *arg)
{
    int locked = pthread_mutex_trylock(&lock) == 0;

    (void)arg;
    if (locked) {
        dropped++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, drop, NULL);
    pthread_create(&t2, NULL, drop, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return dropped == 0;
}

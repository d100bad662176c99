/*
 * Two threads need two locks in opposite orders.  The second one is only tried;
 * if it is busy, the first one is given back and the thread begins with the busy
 * one.
 *
 * It only tries the other lock now as before, and gives up when that is busy.
 */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
int done;

static int lock_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0)
        return 1;
    pthread_mutex_unlock(first);
    pthread_mutex_lock(second);
    if (pthread_mutex_trylock(first) == 0)
        return 1;
    pthread_mutex_unlock(second);
    return 0;
}

static void work(pthread_mutex_t *first, pthread_mutex_t *second)
{
    if (!lock_both(first, second))
        return;
    done++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

void *forwards(void *arg)
{
    (void)arg;
    work(&a, &b);
    return NULL;
}

void *backwards(void *arg)
{
    (void)arg;
    work(&b, &a);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, forwards, NULL);
    pthread_create(&t2, NULL, backwards, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

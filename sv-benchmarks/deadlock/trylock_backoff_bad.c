/*
 * Two threads need two locks in opposite orders.  The second one is only tried;
 * if it is busy, the first one is given back and the thread begins with the busy
 * one.
 *
 * It then waits for the other lock, as if the change of the order had made that
 * safe.  But the other thread may have changed it, too.
 *
 *   t1: locks a | t2: locks b, tries a in vain | t1: tries b in vain, unlocks a
 *   | t2: unlocks b, locks a | t1: locks b, waits for a | t2: waits for b
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
    pthread_mutex_lock(first); // DEADLOCK
    return 1;
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
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return 0;
}

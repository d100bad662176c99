/*
 * A function must not be entered again while it is at work; it guards itself
 * with trylock.
 *
 * The guard is a normal mutex: whoever holds it does not get it again.
 */
#define _XOPEN_SOURCE 700 /* for the mutex types */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t guard;
int inside = 0;

void enter(int nested)
{
    if (pthread_mutex_trylock(&guard) != 0)
        return;
    inside++;
    assert(inside == 1);
    if (nested)
        enter(0);
    inside--;
    pthread_mutex_unlock(&guard);
}

void *worker(void *arg)
{
    (void)arg;
    enter(1);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&guard, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

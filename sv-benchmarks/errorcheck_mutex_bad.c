/*
 * An error-checking mutex: locking it again is refused with EDEADLK.
 *
 * note() does not look at the answer and unlocks in any case.  Called with
 * the mutex held, it takes the lock away from its caller.
 *
 *   t1: locks, note() is refused but unlocks: t1's own unlock is refused
 */
#define _XOPEN_SOURCE 700 /* for the mutex types */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock;
int value = 0;
int notes = 0;

void note(void)
{
    pthread_mutex_lock(&lock);
    notes++;
    pthread_mutex_unlock(&lock);
}

void *setter(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    value = 1;
    note();
    assert(pthread_mutex_unlock(&lock) == 0); // FAIL
    return NULL;
}

void *noter(void *arg)
{
    (void)arg;
    note();
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, noter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/*
 * An error-checking mutex: locking it again is refused with EDEADLK.
 *
 * note() looks at the answer and unlocks only what it has locked itself.
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
    int held = pthread_mutex_lock(&lock) == EDEADLK;

    notes++;
    if (!held)
        pthread_mutex_unlock(&lock);
}

void *setter(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    value = 1;
    note();
    assert(pthread_mutex_unlock(&lock) == 0);
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

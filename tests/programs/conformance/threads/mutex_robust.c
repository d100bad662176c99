/* pthread_mutexattr_setrobust, pthread_mutexattr_getrobust, pthread_mutex_consistent: EOWNERDEAD, ENOTRECOVERABLE
 * --rounds 2 */
#include <errno.h>
#include "../program.h"

pthread_mutex_t mutex;
int broken;

void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    broken = 1;
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_t t;
    int robust, error;

    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_setrobust(&attr, 7) == EINVAL);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_getrobust(&attr, &robust);
    assert(robust == PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attr);
    pthread_create(&t, 0, worker, 0);
    error = pthread_mutex_lock(&mutex);
    if (error == 0) {
        assert(!broken && pthread_mutex_consistent(&mutex) == EINVAL);
        pthread_mutex_unlock(&mutex);
        pthread_join(t, 0);
        error = pthread_mutex_trylock(&mutex);
    }
    assert(error == EOWNERDEAD && broken);
    REPAIRED(assert(pthread_mutex_consistent(&mutex) == 0);)
    assert(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == EPERM);
    error = pthread_mutex_lock(&mutex);
    assert(error != ENOTRECOVERABLE); // FAIL
    return error;
}

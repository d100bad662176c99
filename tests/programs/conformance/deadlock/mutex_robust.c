/* a mutex whose owner has ended: only a robust one can be locked again
 * --rounds 2 --deadlock */
#include <errno.h>
#include "../program.h"

pthread_mutex_t mutex;

void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_t t;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, TWINS(PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST));
    pthread_mutex_init(&mutex, &attr);
    pthread_create(&t, 0, worker, 0);
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD) // DEADLOCK
        pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}

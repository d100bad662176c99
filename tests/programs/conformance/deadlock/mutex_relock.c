/* a mutex that its owner locks again: normal, or recursive
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); // DEADLOCK
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    REPAIRED(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);)
    pthread_mutex_init(&lock, &attr);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}

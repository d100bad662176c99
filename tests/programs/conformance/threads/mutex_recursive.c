/* PTHREAD_MUTEX_RECURSIVE, pthread_mutexattr_init, pthread_mutexattr_settype, pthread_mutexattr_gettype, pthread_mutexattr_destroy
 * --rounds 2 */
#include "../program.h"

pthread_mutex_t lock;
int count;

void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    BUGGY(pthread_mutex_unlock(&lock);)
    int old = count;
    count = old + 1;
    REPAIRED(pthread_mutex_unlock(&lock);)
    return 0;
}

int main(void)
{
    pthread_mutexattr_t attr;
    int type;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_gettype(&attr, &type);
    assert(type == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attr);
    pthread_mutexattr_destroy(&attr);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}

/* a mutex that its owner locks again: normal, or of the type errorcheck
 * --deadlock --rounds 1 */
#include "../program.h"

int main(void)
{
    pthread_mutex_t lock;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    REPAIRED(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);)
    pthread_mutex_init(&lock, &attr);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); // DEADLOCK
    return 0;
}

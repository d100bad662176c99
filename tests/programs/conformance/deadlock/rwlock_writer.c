/* pthread_rwlock_rdlock: the writer has ended; pthread_rwlock_tryrdlock never blocks
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    return 0;
}

int main(void)
{
    START(t, writer);
    TWINS(pthread_rwlock_rdlock(&lock), pthread_rwlock_tryrdlock(&lock)); // DEADLOCK
    return 0;
}

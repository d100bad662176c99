/* pthread_rwlock_destroy: the lock is held
 * --rounds 2 */
#include "../program.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    START(other, reader);
    BUGGY(pthread_rwlock_rdlock(&lock);)
    pthread_join(other, 0);
    pthread_rwlock_destroy(&lock); // FAIL
    return 0;
}

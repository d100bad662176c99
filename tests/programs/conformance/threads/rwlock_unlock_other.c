/* pthread_rwlock_unlock: the calling thread does not hold the lock
 * --rounds 2 */
#include "../program.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    REPAIRED(pthread_rwlock_unlock(&lock);)
    return 0;
}

int main(void)
{
    START(other, reader);
    pthread_join(other, 0);
    REPAIRED(pthread_rwlock_rdlock(&lock);)
    pthread_rwlock_unlock(&lock); // FAIL
    return 0;
}

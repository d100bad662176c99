/* pthread_rwlock_rdlock by a thread that already reads
 * --rounds 2 */
#include "../program.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int a, b;

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    a = 1;
    b = 1;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    START(other, writer);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    BUGGY(pthread_rwlock_unlock(&lock);)
    int x = a;
    int y = b;
    REPAIRED(pthread_rwlock_unlock(&lock);)
    assert(x == y); // FAIL
    return 0;
}

/* pthread_rwlock_wrlock, pthread_rwlock_unlock
 * --rounds 2 */
#include "../program.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int count;

void *add(void *unused)
{
    REPAIRED(pthread_rwlock_wrlock(&lock);)
    int old = count;
    count = old + 1;
    REPAIRED(pthread_rwlock_unlock(&lock);)
    return 0;
}

int main(void)
{
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}

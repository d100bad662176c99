/* pthread_rwlock_rdlock lets others read, so a reader must not write
 * --rounds 2 */
#include "../program.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int count;

void *add(void *unused)
{
    TWINS(pthread_rwlock_rdlock(&lock), pthread_rwlock_wrlock(&lock));
    int old = count;
    count = old + 1;
    pthread_rwlock_unlock(&lock);
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

/* pthread_rwlock_wrlock, pthread_rwlock_unlock
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int count;

void *add(void *unused)
{
#ifndef BUG
    pthread_rwlock_wrlock(&lock);
#endif
    int old = count;
    count = old + 1;
#ifndef BUG
    pthread_rwlock_unlock(&lock);
#endif
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}

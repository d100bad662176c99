/* pthread_rwlock_clockwrlock
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
struct timespec soon;
int count;

void *add(void *unused)
{
    int busy = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon) != 0;
#ifndef BUG
    if (busy) {
        pthread_rwlock_wrlock(&lock);
        busy = 0;
    }
#endif
    int old = count;
    count = old + 1;
    if (!busy)
        pthread_rwlock_unlock(&lock);
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

/* pthread_mutex_timedlock
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon;
int count;

void *add(void *unused)
{
    int busy = pthread_mutex_timedlock(&lock, &soon) != 0;
#ifndef BUG
    if (busy) {
        pthread_mutex_lock(&lock);
        busy = 0;
    }
#endif
    int old = count;
    count = old + 1;
    if (!busy)
        pthread_mutex_unlock(&lock);
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

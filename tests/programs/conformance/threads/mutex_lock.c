/* pthread_mutex_lock, pthread_mutex_unlock
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *add(void *unused)
{
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    int old = count;
    count = old + 1;
#ifndef BUG
    pthread_mutex_unlock(&lock);
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

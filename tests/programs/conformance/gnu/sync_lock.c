/* __sync_lock_test_and_set, __sync_lock_release
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include "../twins.h"

static int lock, count;

void *thread(void *arg)
{
    while (__sync_lock_test_and_set(&lock, 1)) {
    }
    count++;
    __sync_lock_release(&lock);
    TWINS(count++, __sync_fetch_and_add(&count, 0));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    TWINS(assert(count == 4), assert(count == 2)); // FAIL
    return 0;
}

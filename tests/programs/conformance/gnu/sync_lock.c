/* __sync_lock_test_and_set, __sync_lock_release
 * --rounds 2 */
#include "../program.h"

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
    TWO_THREADS(thread, thread);
    TWINS(assert(count == 4), assert(count == 2)); // FAIL
    return 0;
}

/* mtx_timedlock, mtx_init with mtx_timed
 * --rounds 2
 */
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t lock;
struct timespec soon;
int count;

int add(void *unused)
{
    int busy = mtx_timedlock(&lock, &soon) != 0;
#ifndef BUG
    if (busy) {
        mtx_lock(&lock);
        busy = 0;
    }
#endif
    int old = count;
    count = old + 1;
    if (!busy)
        mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    mtx_init(&lock, mtx_timed);
    thrd_t other;
    thrd_create(&other, add, 0);
    add(0);
    thrd_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}

/* mtx_trylock
 * --rounds 2
 */
#include <assert.h>
#include <threads.h>

mtx_t lock;
int count;

int add(void *unused)
{
    int busy = mtx_trylock(&lock) != 0;
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
    mtx_init(&lock, mtx_plain);
    thrd_t other;
    thrd_create(&other, add, 0);
    add(0);
    thrd_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}

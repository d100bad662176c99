/* mtx_unlock: the calling thread does not hold the mutex
 * --rounds 1
 */
#include <threads.h>

mtx_t lock;

int locks(void *unused)
{
    mtx_lock(&lock);
#ifndef BUG
    mtx_unlock(&lock);
#endif
    return 0;
}

int main(void)
{
    thrd_t other;
    mtx_init(&lock, mtx_plain);
    thrd_create(&other, locks, 0);
    thrd_join(other, 0);
#ifndef BUG
    mtx_lock(&lock);
#endif
    mtx_unlock(&lock); // FAIL
    return 0;
}

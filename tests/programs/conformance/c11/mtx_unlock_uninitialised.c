/* mtx_unlock: the mutex was never initialised
 * --rounds 1
 */
#include <threads.h>

mtx_t lock;

int main(void)
{
#ifndef BUG
    mtx_init(&lock, mtx_timed);
    mtx_lock(&lock);
#endif
    mtx_unlock(&lock); // FAIL
    return 0;
}

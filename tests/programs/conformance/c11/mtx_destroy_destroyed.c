/* mtx_destroy: the mutex has already been destroyed
 * --rounds 1
 */
#include <threads.h>

mtx_t lock;

int main(void)
{
    mtx_init(&lock, mtx_timed);
    mtx_destroy(&lock);
#ifndef BUG
    mtx_init(&lock, mtx_timed);
#endif
    mtx_destroy(&lock); // FAIL
    return 0;
}

/* mtx_destroy: the mutex was never initialised
 * --rounds 1
 */
#include <threads.h>

mtx_t lock;

int main(void)
{
#ifndef BUG
    mtx_init(&lock, mtx_timed);
#endif
    mtx_destroy(&lock); // FAIL
    return 0;
}

/* mtx_unlock: the mutex has been destroyed
 * --rounds 1
 */
#include <threads.h>

mtx_t lock;

int main(void)
{
    mtx_init(&lock, mtx_timed);
#ifdef BUG
    mtx_destroy(&lock);
#else
    mtx_lock(&lock);
#endif
    mtx_unlock(&lock); // FAIL
    return 0;
}

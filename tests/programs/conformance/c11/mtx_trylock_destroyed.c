/* mtx_trylock: the mutex has been destroyed
 * --rounds 1
 */
#include <threads.h>

mtx_t lock;

int main(void)
{
    mtx_init(&lock, mtx_timed);
#ifdef BUG
    mtx_destroy(&lock);
#endif
    mtx_trylock(&lock); // FAIL
    return 0;
}

/* mtx_timedlock: the mutex has been destroyed
 * --rounds 1
 */
#include <threads.h>
#include <time.h>

mtx_t lock;
struct timespec soon;

int main(void)
{
    mtx_init(&lock, mtx_timed);
#ifdef BUG
    mtx_destroy(&lock);
#endif
    mtx_timedlock(&lock, &soon); // FAIL
    return 0;
}

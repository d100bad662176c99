/* mtx_timedlock: the mutex was never initialised
 * --rounds 1
 */
#include <threads.h>
#include <time.h>

mtx_t lock;
struct timespec soon;

int main(void)
{
#ifndef BUG
    mtx_init(&lock, mtx_timed);
#endif
    mtx_timedlock(&lock, &soon); // FAIL
    return 0;
}

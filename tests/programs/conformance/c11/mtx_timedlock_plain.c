/* mtx_timedlock: the mutex was not initialised with mtx_timed
 * --rounds 1
 */
#include <threads.h>
#include <time.h>

mtx_t lock;
struct timespec soon;

int main(void)
{
#ifdef BUG
    mtx_init(&lock, mtx_plain);
#else
    mtx_init(&lock, mtx_timed);
#endif
    mtx_timedlock(&lock, &soon); // FAIL
    return 0;
}

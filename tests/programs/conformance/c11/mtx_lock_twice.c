/* mtx_lock: the calling thread already holds the mutex
 * --rounds 1
 */
#include <threads.h>
#include <time.h>

mtx_t lock;
struct timespec soon;

int main(void)
{
#ifdef BUG
    mtx_init(&lock, mtx_timed);
#else
    mtx_init(&lock, mtx_timed | mtx_recursive);
#endif
    mtx_lock(&lock);
    mtx_lock(&lock); // FAIL
    return 0;
}

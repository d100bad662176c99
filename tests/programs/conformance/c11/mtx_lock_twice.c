/* mtx_lock: the calling thread already holds the mutex
 * --rounds 1 */
#include <threads.h>
#include <time.h>
#include "../twins.h"

mtx_t lock;
struct timespec soon;

int main(void)
{
    TWINS(mtx_init(&lock, mtx_timed), mtx_init(&lock, mtx_timed | mtx_recursive));
    mtx_lock(&lock);
    mtx_lock(&lock); // FAIL
    return 0;
}

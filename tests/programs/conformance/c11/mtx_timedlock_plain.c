/* mtx_timedlock: the mutex was not initialised with mtx_timed
 * --rounds 1 */
#include <threads.h>
#include <time.h>
#include "../twins.h"

mtx_t lock;
struct timespec soon;

int main(void)
{
    TWINS(mtx_init(&lock, mtx_plain), mtx_init(&lock, mtx_timed));
    mtx_timedlock(&lock, &soon); // FAIL
    return 0;
}

/* mtx_unlock: the calling thread does not hold the mutex
 * --rounds 1 */
#include <threads.h>
#include "../twins.h"

mtx_t lock;

int locks(void *unused)
{
    mtx_lock(&lock);
    REPAIRED(mtx_unlock(&lock);)
    return 0;
}

int main(void)
{
    thrd_t other;
    mtx_init(&lock, mtx_plain);
    thrd_create(&other, locks, 0);
    thrd_join(other, 0);
    REPAIRED(mtx_lock(&lock);)
    mtx_unlock(&lock); // FAIL
    return 0;
}

/* mtx_lock, mtx_unlock, mtx_init with mtx_plain, mtx_destroy
 * --rounds 2 */
#include <assert.h>
#include <threads.h>
#include "../twins.h"

mtx_t lock;
int count;

int add(void *unused)
{
    REPAIRED(mtx_lock(&lock);)
    int old = count;
    count = old + 1;
    REPAIRED(mtx_unlock(&lock);)
    return 0;
}

int main(void)
{
    mtx_init(&lock, mtx_plain);
    thrd_t other;
    thrd_create(&other, add, 0);
    add(0);
    thrd_join(other, 0);
    assert(count == 2); // FAIL
    mtx_destroy(&lock);
    return 0;
}

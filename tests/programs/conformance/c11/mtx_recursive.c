/* mtx_init with mtx_recursive
 * --rounds 2 */
#include <assert.h>
#include <threads.h>
#include "../twins.h"

mtx_t lock;
int count;

int add(void *unused)
{
    mtx_lock(&lock);
    mtx_lock(&lock);
    mtx_unlock(&lock);
    BUGGY(mtx_unlock(&lock);)
    int old = count;
    count = old + 1;
    REPAIRED(mtx_unlock(&lock);)
    return 0;
}

int main(void)
{
    mtx_init(&lock, mtx_plain | mtx_recursive);
    thrd_t other;
    thrd_create(&other, add, 0);
    add(0);
    thrd_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}

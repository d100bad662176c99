/* spurious failures of mtx_trylock
 * --rounds 2 */
#include <assert.h>
#include <threads.h>

mtx_t lock;
int entered;

int main(void)
{
    mtx_init(&lock, mtx_plain);
    if (mtx_trylock(&lock) == thrd_success)
        entered = 1;
#ifdef BUG
    assert(entered); // FAIL
#else
    if (!entered)
        mtx_lock(&lock);
    entered = 1;
    assert(entered);
#endif
    mtx_unlock(&lock);
    return 0;
}

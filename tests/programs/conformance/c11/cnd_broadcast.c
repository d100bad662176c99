/* cnd_broadcast, cnd_destroy
 * --rounds 2 --unwind 2 */
#include <assert.h>
#include <threads.h>
#include "../twins.h"

mtx_t lock;
cnd_t ready;
int full;

int put(void *unused)
{
    mtx_lock(&lock);
    full = 1;
    cnd_broadcast(&ready);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t other;
    mtx_init(&lock, mtx_plain);
    cnd_init(&ready);
    thrd_create(&other, put, 0);
    mtx_lock(&lock);
    REPAIRED(while (!full) cnd_wait(&ready, &lock);)
    assert(full); // FAIL
    mtx_unlock(&lock);
    thrd_join(other, 0);
    cnd_destroy(&ready);
    return 0;
}

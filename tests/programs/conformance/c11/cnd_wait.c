/* cnd_wait, cnd_signal, cnd_init
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
    cnd_signal(&ready);
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
    return 0;
}

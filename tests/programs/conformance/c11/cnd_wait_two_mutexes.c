/* cnd_wait: another thread waits with another mutex
 * --rounds 2
 */
#include <threads.h>

mtx_t first, second;
cnd_t ready;
int waiting;

int waits(void *unused)
{
    mtx_lock(&first);
    waiting = 1;
    cnd_wait(&ready, &first);
    mtx_unlock(&first);
    return 0;
}

int main(void)
{
    thrd_t other;
    mtx_init(&first, mtx_plain);
    mtx_init(&second, mtx_plain);
    cnd_init(&ready);
    thrd_create(&other, waits, 0);
    mtx_lock(&first);
    if (waiting) {
        mtx_unlock(&first);
#ifndef BUG
        cnd_signal(&ready);
        thrd_join(other, 0);
        thrd_create(&other, waits, 0);
#endif
        mtx_lock(&second);
#ifdef BUG
        cnd_wait(&ready, &second); // FAIL
#endif
    }
    return 0;
}

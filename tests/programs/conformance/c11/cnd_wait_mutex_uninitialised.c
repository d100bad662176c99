/* cnd_wait: the mutex is not initialised
 * --rounds 2
 */
#include <threads.h>

mtx_t lock;
cnd_t ready;

int signals(void *unused)
{
    mtx_lock(&lock);
    cnd_signal(&ready);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t other;
    cnd_init(&ready);
#ifndef BUG
    mtx_init(&lock, mtx_plain);
    thrd_create(&other, signals, 0);
    mtx_lock(&lock);
#endif
    cnd_wait(&ready, &lock); // FAIL
    mtx_unlock(&lock);
    return 0;
}

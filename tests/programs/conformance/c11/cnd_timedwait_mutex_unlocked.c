/* cnd_timedwait: the calling thread does not hold the mutex
 * --rounds 2
 */
#include <threads.h>
#include <time.h>

mtx_t lock;
cnd_t ready;
struct timespec soon;

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
    mtx_init(&lock, mtx_plain);
    cnd_init(&ready);
    thrd_create(&other, signals, 0);
#ifndef BUG
    mtx_lock(&lock);
#endif
    cnd_timedwait(&ready, &lock, &soon); // FAIL
    mtx_unlock(&lock);
    return 0;
}

/* cnd_timedwait: the condition variable has been destroyed
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
#ifdef BUG
    cnd_destroy(&ready);
#else
    thrd_create(&other, signals, 0);
#endif
    mtx_lock(&lock);
    cnd_timedwait(&ready, &lock, &soon); // FAIL
    mtx_unlock(&lock);
    return 0;
}

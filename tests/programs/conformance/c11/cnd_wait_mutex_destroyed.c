/* cnd_wait: the mutex has been destroyed
 * --rounds 2
 */
#include <threads.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

mtx_t lock;
cnd_t ready;
int waiting;

int waits(void *unused)
{
    mtx_lock(&lock);
    waiting = 1;
    cnd_wait(&ready, &lock); // FAIL
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t other;
    mtx_init(&lock, mtx_plain);
    cnd_init(&ready);
    thrd_create(&other, waits, 0);
    mtx_lock(&lock);
    if (waiting) {
        cnd_signal(&ready);
#ifdef BUG
        __VERIFIER_atomic_begin();
        mtx_unlock(&lock);
        mtx_destroy(&lock);
        __VERIFIER_atomic_end();
#else
        mtx_unlock(&lock);
#endif
        thrd_join(other, 0);
    }
    return 0;
}

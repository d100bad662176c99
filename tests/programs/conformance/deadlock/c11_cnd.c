/* cnd_wait: a signal that comes too early
 * --deadlock --rounds 2 */
#include <threads.h>
#include "../twins.h"

mtx_t lock;
cnd_t ready;
int is_ready;

int producer(void *arg)
{
    mtx_lock(&lock);
    is_ready = 1;
    cnd_signal(&ready);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    cnd_init(&ready);
    thrd_create(&t, producer, 0);
    mtx_lock(&lock);
    REPAIRED(if (!is_ready))
        cnd_wait(&ready, &lock); // DEADLOCK
    mtx_unlock(&lock);
    thrd_join(t, 0);
    return 0;
}

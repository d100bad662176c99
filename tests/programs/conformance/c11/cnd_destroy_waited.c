/* cnd_destroy: a thread waits on the condition variable
 * --rounds 2 */
#include <stdlib.h>
#include <threads.h>
#include "../twins.h"

mtx_t lock;
cnd_t ready;
int waiting;

int waits(void *unused)
{
    mtx_lock(&lock);
    waiting = 1;
    cnd_wait(&ready, &lock);
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
        REPAIRED(cnd_broadcast(&ready);)
        cnd_destroy(&ready); // FAIL
    }
    exit(0);
}

/* mtx_lock: two mutexes in opposite orders
 * --deadlock --rounds 2 */
#include <threads.h>
#include "../twins.h"

mtx_t a, b;

int there(void *arg)
{
    mtx_lock(&a);
    mtx_lock(&b); // DEADLOCK
    mtx_unlock(&b);
    mtx_unlock(&a);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&a, mtx_plain);
    mtx_init(&b, mtx_plain);
    thrd_create(&t, there, 0);
    mtx_lock(&b);
    BUGGY(mtx_lock(&a);) // DEADLOCK
    BUGGY(mtx_unlock(&a);)
    REPAIRED(if (mtx_trylock(&a) == thrd_success) mtx_unlock(&a);)
    mtx_unlock(&b);
    thrd_join(t, 0);
    return 0;
}

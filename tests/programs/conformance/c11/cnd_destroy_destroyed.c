/* cnd_destroy: the condition variable has already been destroyed
 * --rounds 1
 */
#include <threads.h>

cnd_t ready;

int main(void)
{
    cnd_init(&ready);
    cnd_destroy(&ready);
#ifndef BUG
    cnd_init(&ready);
#endif
    cnd_destroy(&ready); // FAIL
    return 0;
}

/* cnd_broadcast: the condition variable has been destroyed
 * --rounds 1
 */
#include <threads.h>

cnd_t ready;

int main(void)
{
    cnd_init(&ready);
#ifdef BUG
    cnd_destroy(&ready);
#endif
    cnd_broadcast(&ready); // FAIL
    return 0;
}

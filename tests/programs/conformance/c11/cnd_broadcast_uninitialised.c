/* cnd_broadcast: the condition variable was never initialised
 * --rounds 1
 */
#include <threads.h>

cnd_t ready;

int main(void)
{
#ifndef BUG
    cnd_init(&ready);
#endif
    cnd_broadcast(&ready); // FAIL
    return 0;
}

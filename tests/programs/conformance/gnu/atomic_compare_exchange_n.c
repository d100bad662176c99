/* __atomic_compare_exchange_n
 * --rounds 2 */
#include "../program.h"

int owner;
int *owner_pointer = &owner;
int holders;

void *thread(void *arg)
{
    int expected = 0;
#ifdef BUG
    int mine = owner == 0;
    if (mine)
        owner = 1;
#else
    int mine = __atomic_compare_exchange_n(owner_pointer, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    assert(mine || expected == 1);
#endif
    if (mine)
        __atomic_add_fetch(&holders, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(holders == 1); // FAIL
    return 0;
}

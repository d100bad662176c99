/* __atomic_add_fetch, _sub_fetch, _and_fetch, _or_fetch, _xor_fetch, _nand_fetch
 * --rounds 2 */
#include "../program.h"

short number;
int winners;

void *thread(void *arg)
{
    BUGGY(__atomic_add_fetch(&number, 1, __ATOMIC_SEQ_CST);)
    BUGGY(short mine = number;)
    REPAIRED(short mine = __atomic_add_fetch(&number, 1, __ATOMIC_SEQ_CST);)
    if (mine == 2)
        __atomic_add_fetch(&winners, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(winners == 1); // FAIL
    assert(__atomic_sub_fetch(&number, 4, __ATOMIC_SEQ_CST) == -2);
    assert(__atomic_and_fetch(&number, 7, __ATOMIC_SEQ_CST) == 6);
    assert(__atomic_or_fetch(&number, 9, __ATOMIC_SEQ_CST) == 15);
    assert(__atomic_xor_fetch(&number, 5, __ATOMIC_SEQ_CST) == 10);
    assert(__atomic_nand_fetch(&number, 2, __ATOMIC_SEQ_CST) == -3);
    return 0;
}

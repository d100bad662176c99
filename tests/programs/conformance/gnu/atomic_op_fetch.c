/* __atomic_add_fetch, _sub_fetch, _and_fetch, _or_fetch, _xor_fetch, _nand_fetch
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

short number;
int winners;

void *thread(void *arg)
{
#ifdef BUG
    __atomic_add_fetch(&number, 1, __ATOMIC_SEQ_CST);
    short mine = number;
#else
    short mine = __atomic_add_fetch(&number, 1, __ATOMIC_SEQ_CST);
#endif
    if (mine == 2)
        __atomic_add_fetch(&winners, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(winners == 1); // FAIL
    assert(__atomic_sub_fetch(&number, 4, __ATOMIC_SEQ_CST) == -2);
    assert(__atomic_and_fetch(&number, 7, __ATOMIC_SEQ_CST) == 6);
    assert(__atomic_or_fetch(&number, 9, __ATOMIC_SEQ_CST) == 15);
    assert(__atomic_xor_fetch(&number, 5, __ATOMIC_SEQ_CST) == 10);
    assert(__atomic_nand_fetch(&number, 2, __ATOMIC_SEQ_CST) == -3);
    return 0;
}

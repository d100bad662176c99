/* __atomic_fetch_add, _sub, _and, _or, _xor, _nand
 * --rounds 2 */
#include "../program.h"

unsigned char bits;
int array[2];
int *pointer = array;

void *thread(void *arg)
{
    TWINS(bits |= 1 << (long)arg, __atomic_fetch_or(&bits, 1 << (long)arg, __ATOMIC_SEQ_CST));
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, (void *)4);
    thread((void *)1);
    pthread_join(a, NULL);
    assert(bits == 18); // FAIL
    assert(__atomic_fetch_add(&bits, 255, __ATOMIC_SEQ_CST) == 18 && bits == 17);
    assert(__atomic_fetch_sub(&bits, 18, __ATOMIC_SEQ_CST) == 17 && bits == 255);
    assert(__atomic_fetch_and(&bits, 60, __ATOMIC_SEQ_CST) == 255 && bits == 60);
    assert(__atomic_fetch_xor(&bits, 12, __ATOMIC_SEQ_CST) == 60 && bits == 48);
    assert(__atomic_fetch_nand(&bits, 32, __ATOMIC_SEQ_CST) == 48 && bits == 223);
    assert(__atomic_fetch_add(&pointer, sizeof(int), __ATOMIC_SEQ_CST) == array && pointer == array + 1);
    return 0;
}

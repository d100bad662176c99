/* atomic_fetch_add, atomic_fetch_sub, atomic_fetch_or, atomic_fetch_xor, atomic_fetch_and
 * --rounds 2 */
#include <stdatomic.h>
#include "../program.h"

atomic_uint bits;
atomic_int sum;

void *thread(void *arg)
{
    unsigned mask = 1u << (long)arg;
    atomic_fetch_add(&sum, 5);
    atomic_fetch_sub(&sum, 4);
    TWINS(bits = bits | mask, atomic_fetch_or(&bits, mask));
    return NULL;
}

int main(void)
{
    int array[3];
    _Atomic(int *) pointer = array;
    pthread_t a, b;
    assert(atomic_fetch_add(&pointer, 2) == array && pointer == array + 2);
    assert(atomic_fetch_sub(&pointer, 1) == array + 2 && pointer == array + 1);
    pthread_create(&a, NULL, thread, (void *)0);
    pthread_create(&b, NULL, thread, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 2);
    assert(bits == 3); // FAIL
    assert(atomic_fetch_and(&bits, 6) == 3 && bits == 2);
    assert(atomic_fetch_xor(&bits, 3) == 2 && bits == 1);
    return 0;
}

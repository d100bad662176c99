/* __sync_fetch_and_add, _sub, _or, _and, _xor, _nand; __sync_add_and_fetch, …
 * --rounds 2 */
#include "../program.h"

volatile int count;

void *thread(void *arg)
{
    TWINS(count += 2, __sync_fetch_and_add(&count, 2));
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(count == 4); // FAIL
    assert(__sync_fetch_and_sub(&count, 1) == 4 && __sync_sub_and_fetch(&count, 1) == 2);
    assert(__sync_fetch_and_or(&count, 5) == 2 && __sync_or_and_fetch(&count, 8) == 15);
    assert(__sync_fetch_and_and(&count, 7) == 15 && __sync_and_and_fetch(&count, 3) == 3);
    assert(__sync_fetch_and_xor(&count, 1) == 3 && __sync_xor_and_fetch(&count, 1) == 3);
    assert(__sync_fetch_and_nand(&count, 1) == 3 && count == -2);
    assert(__sync_nand_and_fetch(&count, 2) == -3 && __sync_add_and_fetch(&count, 1, count) == -2);
    return 0;
}

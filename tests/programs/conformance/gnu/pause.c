/* `__builtin_ia32_pause`, `_mm_pause`, `_mm_mfence`, `_mm_lfence`, `_mm_sfence`
 * --rounds 2 --unwind 2 */
#include <immintrin.h>
#include "../program.h"

int data, ready;

void *producer(void *arg)
{
    data = 1;
    _mm_sfence();
    ready = 1;
    return arg;
}

int main(void)
{
    START(t, producer);
    BUGGY(_mm_pause();)
    BUGGY(__builtin_ia32_pause();)
    REPAIRED(while (!ready) _mm_pause();)
    _mm_lfence();
    assert(data); // FAIL
    _mm_mfence();
    pthread_join(t, 0);
    return 0;
}

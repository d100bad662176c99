/* an access to 64 bits is one access, with `--32` too
 * --rounds 2 --32 */
#include "../program.h"

unsigned long long wide;

void *thread(void *arg)
{
    BUGGY(wide |= 0xffffffff00000000;)
    BUGGY(wide |= 0x00000000ffffffff;)
    REPAIRED(wide = 0xffffffffffffffff;)
    return NULL;
}

int main(void)
{
    START(a, thread);
    unsigned long long seen = wide;
    assert((unsigned int)seen == (unsigned int)(seen >> 32)); // FAIL
    pthread_join(a, NULL);
    return 0;
}

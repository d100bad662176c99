/* an access to 64 bits is one access, with `--32` too
 * --rounds 2 --32
 */
#include <assert.h>
#include <pthread.h>

unsigned long long wide;

void *thread(void *arg)
{
#ifdef BUG
    wide |= 0xffffffff00000000;
    wide |= 0x00000000ffffffff;
#else
    wide = 0xffffffffffffffff;
#endif
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    unsigned long long seen = wide;
    assert((unsigned int)seen == (unsigned int)(seen >> 32)); // FAIL
    pthread_join(a, NULL);
    return 0;
}

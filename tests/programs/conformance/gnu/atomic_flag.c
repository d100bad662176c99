/* __atomic_test_and_set, __atomic_clear
 * --rounds 2 */
#include "../program.h"

_Bool lock;
int inside;

void *thread(void *arg)
{
    if (!__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {
#ifdef BUG
        __atomic_clear(&lock, __ATOMIC_RELEASE);
        inside++;
        assert(inside == 1); // FAIL
        inside--;
#else
        inside++;
        assert(inside == 1);
        inside--;
        __atomic_clear(&lock, __ATOMIC_RELEASE);
#endif
    }
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    return 0;
}

/* __atomic_load_n, __atomic_store_n, __atomic_exchange_n
 * --rounds 2 */
#include "../program.h"

char lock;
long inside;

void *thread(void *arg)
{
    BUGGY(int free = !__atomic_load_n(&lock, __ATOMIC_SEQ_CST);)
    BUGGY(__atomic_store_n(&lock, 1, __ATOMIC_SEQ_CST);)
    REPAIRED(int free = !__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST);)
    if (free) {
        assert(inside == 0); // FAIL
        inside = 1;
    }
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    return 0;
}

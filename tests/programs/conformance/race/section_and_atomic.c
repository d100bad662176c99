/* an access in a section is atomic
 * --race --rounds 5 */
#include "../two_threads.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;

void *one(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1; // RACE
    __VERIFIER_atomic_end();
    return 0;
}

void *two(void *arg)
{
    TWINS(int seen = x, int seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST)); // RACE
    (void)seen;
    return 0;
}

/* negative integers in pointers: a thread's argument and its result
 * --rounds 2 */
#include <stdint.h>
#include "../program.h"

int limit;

extern int __VERIFIER_nondet_int(void);

void *take(void *arg)
{
    int result = limit ? -1 : -2;
    if ((long)arg >= 0 || arg == (void *)-1)
        return (void *)-1;
    REPAIRED(result = -result;)
    return (void *)(intptr_t)result;
}

int main(void)
{
    pthread_t t;
    void *result;
    limit = __VERIFIER_nondet_int();
    int given = limit ? -3 : -70000;
    pthread_create(&t, NULL, take, (void *)(long)given);
    pthread_join(t, &result);
    assert(!((long)result < 0)); // FAIL
    return 0;
}

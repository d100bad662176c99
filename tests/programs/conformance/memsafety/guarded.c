/* an access that is only evaluated where the pointer leads somewhere
 * --memsafety --rounds 1 */
#include <stddef.h>
#include "../program.h"

int numbers[2] = { 4, 5 };

void *work(void *arg)
{
    int local[2] = { 1, 2 };
    int at = __VERIFIER_nondet_int();
    BUGGY(int found = at >= 0 && at <= 2 && local[at] == 2;) // FAIL
    REPAIRED(int found = at >= 0 && at < 2 && local[at] == 2;)
    REPAIRED(found += at < 0 || at > 1 ? 0 : local[at];)
    return found ? arg : NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, numbers);
    pthread_join(thread, NULL);
    return 0;
}

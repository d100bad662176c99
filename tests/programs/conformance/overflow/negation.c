/* unary `-`
 * --overflow --rounds 2 */
#include <limits.h>
#include "../program.h"

int smallest;

void *look(void *arg)
{
    smallest = __VERIFIER_nondet_int();
    return NULL;
}

int main(void)
{
    START(thread, look);
    pthread_join(thread, NULL);
    REPAIRED(if (smallest == INT_MIN) return 1;)
    int positive = smallest < 0 ? -smallest : smallest; // FAIL
    return 0;
}

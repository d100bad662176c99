/* `?:` without an operand, after constants
 * --overflow --rounds 1 */
#include <limits.h>
#include "../program.h"

#define FIRST TWINS((INT_MAX + 1 + INT_MIN), (INT_MAX - 1 - (INT_MAX - 1)))

int chosen;

void *work(void *arg)
{
    chosen = FIRST ?: 3; // FAIL
    return NULL;
}

int main(void)
{
    START(thread, work);
    pthread_join(thread, NULL);
    return 0;
}

/* `?:` without an operand, after constants
 * --overflow --rounds 1 */
#include <limits.h>
#include "../one_thread.h"

#define FIRST TWINS((INT_MAX + 1 + INT_MIN), (INT_MAX - 1 - (INT_MAX - 1)))

int chosen;

void *work(void *arg)
{
    chosen = FIRST ?: 3; // FAIL
    return NULL;
}

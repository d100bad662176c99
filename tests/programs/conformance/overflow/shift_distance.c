/* a shift by too much, and by less than nothing
 * --overflow --rounds 2 */
#include "../program.h"

unsigned flags;
int position = 31;

void *next(void *arg)
{
    position++;
    return NULL;
}

int main(void)
{
    START(thread, next);
    int here = position;
    REPAIRED(if (here >= 0 && here < 32))
        flags = flags | 1u << here; // FAIL
    pthread_join(thread, NULL);
    return 0;
}

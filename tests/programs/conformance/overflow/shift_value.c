/* a shift of more than the type holds
 * --overflow --rounds 2 */
#include "../program.h"

int value = 1;

void *next(void *arg)
{
    value = 2;
    return NULL;
}

int main(void)
{
    START(thread, next);
    BUGGY(value = value << 30;) // FAIL
    REPAIRED(value = value << 29;)
    REPAIRED(value = (int)((unsigned)value << 31);)
    pthread_join(thread, NULL);
    return 0;
}

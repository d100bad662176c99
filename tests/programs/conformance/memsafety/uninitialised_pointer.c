/* a pointer without a value
 * --memsafety --rounds 1 */
#include "../program.h"

int value, ready;

void *work(void *arg)
{
    int *place;
    BUGGY(if (ready))
        place = &value;
    *place = 1; // FAIL
    return NULL;
}

int main(void)
{
    START(thread, work);
    ready = 1;
    pthread_join(thread, NULL);
    return 0;
}

/* An object at file level that one start function alone uses, of which there may be two threads
 * --rounds 2 --unwind 1 */
#include "../program.h"

int visits;

void *visit(void *arg)
{
    visits++;
    assert(visits == 1); // FAIL
    return arg;
}

static void open(void)
{
    START(t, visit);
    pthread_join(t, 0);
}

int main(void)
{
    open();
    BUGGY(open();)
    return 0;
}

/* functions before <pthread.h>
 * --rounds 2 --unwind 1 */
static int count;
static void add(int number) { count += number; }

#include "../program.h"

static void *run(void *arg)
{
    add(1);
    return arg;
}

int main(void)
{
    START(thread, run);
    pthread_join(thread, 0);
    assert(REPAIRED(count == 1 && !)pthread_equal(thread, pthread_self())); // FAIL
    return 0;
}

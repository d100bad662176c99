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
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    assert(REPAIRED(count == 1 && !)pthread_equal(thread, pthread_self())); // FAIL
    return 0;
}

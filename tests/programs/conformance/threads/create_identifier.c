/* the new thread may run before pthread_create has stored its identifier
 * --rounds 2 --strict-posix */
#include "../program.h"

pthread_t worker;

void *work(void *unused)
{
    BUGGY(assert(pthread_equal(worker, pthread_self()));) // FAIL
    return 0;
}

int main(void)
{
    pthread_create(&worker, 0, work, 0);
    assert(worker != 0);
    pthread_join(worker, 0);
    return 0;
}

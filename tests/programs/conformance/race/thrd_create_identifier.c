/* the identifier that thrd_create stores before the new thread begins
 * --race --rounds 3
 */
#include <threads.h>

thrd_t worker;
int same;

int work(void *unused)
{
    same = thrd_equal(worker, thrd_current()); // RACE
    return 0;
}

int main(void)
{
    thrd_create(&worker, work, 0);
#ifdef BUG
    worker = 0; // RACE
#else
    thrd_join(worker, 0);
#endif
    return 0;
}

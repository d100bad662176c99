/* thrd_join: of oneself
 * --deadlock --rounds 2
 */
#include <threads.h>

thrd_t t;

int worker(void *arg)
{
#ifdef BUG
    thrd_join(thrd_current(), 0); // DEADLOCK
#endif
    return 0;
}

int main(void)
{
    thrd_create(&t, worker, 0);
    return 0;
}

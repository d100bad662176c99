/* the identifier that thrd_create stores before the new thread begins
 * --race --rounds 3 */
#include <threads.h>
#include "../twins.h"

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
    TWINS(worker = 0, thrd_join(worker, 0)); // RACE
    return 0;
}

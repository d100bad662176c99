/* thrd_join of a thread that is joined already
 * --rounds 1 --unwind 1 */
#include <threads.h>
#include "../twins.h"

int work(void *arg)
{
    return 7;
}

int main(void)
{
    thrd_t t;
    int result;
    thrd_create(&t, work, 0);
    thrd_join(t, &result);
    REPAIRED(thrd_create(&t, work, 0);)
    thrd_join(t, 0); // FAIL
    return result == 7 ? 0 : 1;
}

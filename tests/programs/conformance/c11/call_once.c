/* call_once
 * --rounds 2 --unwind 1 */
#include <assert.h>
#include <threads.h>
#include "../twins.h"

once_flag once = ONCE_FLAG_INIT;
int value;

void init(void)
{
    int old = value;
    value = old + 1;
}

int work(void *arg)
{
    TWINS(if (value == 0) init(), call_once(&once, init));
    return value;
}

int main(void)
{
    thrd_t a, b;
    thrd_create(&a, work, 0);
    thrd_create(&b, work, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
    assert(value == 1); // FAIL
    return 0;
}

/* pthread_create without an object for the identifier
 * --rounds 2 --unwind 1 */
#include "../program.h"

void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t, *p = &t;
    BUGGY(p = 0;)
    if (pthread_create(p, 0, work, 0)) // FAIL
        return 1;
    pthread_join(*p, 0);
    return 0;
}

/* pthread_detach of a thread that is being joined
 * --rounds 2 --unwind 1 */
#include "../program.h"

pthread_t t;

void *work(void *arg)
{
    BUGGY(pthread_detach(pthread_self());)
    return 0;
}

int main(void)
{
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0); // FAIL
    return 0;
}

/* pthread_cancel of a thread in the routine of pthread_once
 * --rounds 3 --unwind 1 */
#include "../program.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
int begun, done;

void init(void)
{
    begun++;
    pthread_testcancel();
    done++;
}

void *work(void *arg)
{
    pthread_once(&once, init);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    pthread_once(&once, init);
    TWINS(assert(begun == 1), assert(done == 1 && begun == (result == PTHREAD_CANCELED ? 2 : 1))); // FAIL
    return 0;
}

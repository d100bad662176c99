/* pthread_tryjoin_np, pthread_timedjoin_np
 * --rounds 2 --unwind 1 */
#define _GNU_SOURCE
#include <errno.h>
#include "../program.h"

int x;

void *work(void *arg)
{
    x = 1;
    return &x;
}

int main(void)
{
    pthread_t a, b;
    struct timespec soon = { 0, 0 };
    void *r = 0;
    pthread_create(&a, 0, work, 0);
    int error = pthread_tryjoin_np(a, &r);
    assert(error == 0 || error == EBUSY);
    REPAIRED(if (error == EBUSY) error = pthread_join(a, &r);)
    assert(x == 1); // FAIL
    assert(error || r == &x);
    pthread_create(&b, 0, work, 0);
    error = pthread_timedjoin_np(b, &r, &soon);
    assert(error == 0 || error == ETIMEDOUT);
    if (error)
        pthread_detach(b);
    return 0;
}

/* pthread_cancel of a thread that waits in pthread_join, or in pause
 * --rounds 2 --unwind 1 */
#include <unistd.h>
#include "../program.h"

int ended;

void *sleeper(void *arg)
{
    pause();
    ended++;
    return 0;
}

void *waiter(void *other)
{
    pthread_join(*(pthread_t *) other, 0);
    return 0;
}

int main(void)
{
    pthread_t s, w;
    void *result;
    pthread_create(&s, 0, sleeper, 0);
    pthread_create(&w, 0, waiter, &s);
    pthread_cancel(w);
    pthread_join(w, &result);
    assert(result == PTHREAD_CANCELED);
    TWINS(pthread_cancel(w), pthread_cancel(s)); // FAIL
    pthread_join(s, &result);
    assert(result == PTHREAD_CANCELED && !ended);
    return 0;
}

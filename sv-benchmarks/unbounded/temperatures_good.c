/*
 * Two sensors report any temperature in tenths of a degree, for ever, and the
 * mean of the two is shown.
 *
 * What is out of range, above or below, is taken for the nearest that is not.
 */
#include <assert.h>
#include <pthread.h>

#define MOST 1000

extern short __VERIFIER_nondet_short(void);

short inside, outside;

static short clamped(short value)
{
    if (value > MOST)
        return MOST;
    if (value < -MOST)
        return -MOST;
    return value;
}

void *indoors(void *arg)
{
    (void)arg;
    for (;;)
        inside = clamped(__VERIFIER_nondet_short());
}

void *outdoors(void *arg)
{
    (void)arg;
    for (;;)
        outside = clamped(__VERIFIER_nondet_short());
}

void *display(void *arg)
{
    short mean;

    (void)arg;
    for (;;) {
        mean = (inside + outside) / 2;
        assert(-MOST <= mean && mean <= MOST);
    }
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, indoors, NULL);
    pthread_create(&t2, NULL, outdoors, NULL);
    pthread_create(&t3, NULL, display, NULL);
    pthread_join(t1, NULL);
    return 0;
}

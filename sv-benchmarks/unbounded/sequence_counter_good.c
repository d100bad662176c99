/*
 * A sequence counter without a lock for readers: odd while the only writer is
 * at work, who stops before it runs over.  Readers come without end.
 *
 * A reader that sees another number at the end has read nothing.
 */
#include <assert.h>
#include <pthread.h>

#define LAST 1000000u

extern int __VERIFIER_nondet_int(void);

unsigned sequence;
int left, right;

void *writer(void *arg)
{
    (void)arg;
    while (sequence < LAST) {
        int value = __VERIFIER_nondet_int();

        sequence++;
        left = value;
        right = value;
        sequence++;
    }
    return NULL;
}

void *reader(void *arg)
{
    unsigned begin = sequence;
    int a = left, b = right;

    (void)arg;
    if (begin % 2 != 0)
        return NULL;
    if (sequence != begin)
        return NULL;
    assert(a == b);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, writer, NULL);
    for (;;)
        pthread_create(&t, NULL, reader, NULL);
}

/*
 * The alternating-bit protocol over channels of one place that lose what they
 * like.  The sender sends a message again until its bit is acknowledged, the
 * receiver acknowledges whatever comes, for ever.
 *
 * The receiver takes a message only with the bit that it expects, so each
 * arrives once and in order.  Messages are numbers modulo MESSAGES.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define MESSAGES 4

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct channel {
    bool full, bit;
    int message;
};

struct channel data, acknowledgement;

void send(struct channel *c, bool bit, int message)
{
    bool lost = __VERIFIER_nondet_bool();

    __VERIFIER_atomic_begin();
    if (!c->full && !lost) {
        c->full = true;
        c->bit = bit;
        c->message = message;
    }
    __VERIFIER_atomic_end();
}

bool receive(struct channel *c, bool *bit, int *message)
{
    bool full;

    __VERIFIER_atomic_begin();
    full = c->full;
    *bit = c->bit;
    *message = c->message;
    c->full = false;
    c->bit = false;
    c->message = 0;
    __VERIFIER_atomic_end();
    return full;
}

void *sender(void *arg)
{
    bool bit = false;
    int message = 0;

    (void)arg;
    for (;;) {
        bool back;
        int nothing;

        send(&data, bit, message);
        if (receive(&acknowledgement, &back, &nothing) && back == bit) {
            bit = !bit;
            message = (message + 1) % MESSAGES;
        }
    }
    return NULL;
}

void *receiver(void *arg)
{
    bool expected = false;
    int next = 0;

    (void)arg;
    for (;;) {
        bool bit;
        int message;

        if (!receive(&data, &bit, &message))
            continue;
        if (bit == expected) {
            assert(message == next);
            next = (next + 1) % MESSAGES;
            expected = !expected;
        }
        send(&acknowledgement, bit, 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/*
 * The alternating-bit protocol over channels of one place that lose what they
 * like.  The sender sends a message again until its bit is acknowledged, the
 * receiver acknowledges whatever comes, for ever.
 *
 * The sender takes an acknowledgement for that of its last message, whatever its
 * bit is.  Messages are numbers modulo MESSAGES.
 *
 *   t1: sends 0 | t2: takes it | t1: sends 0 again | t2: acknowledges 0 | t1: goes
 *   on with 1 | t2: gets the second 0, acknowledges it | t1: sends 1, lost, gets
 *   that, sends 2 | t2: the bit is that of 0, drops it, acknowledges | t1: sends 3
 *   | t2: has been waiting for 1
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
        if (receive(&acknowledgement, &back, &nothing) ) {
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
            assert(message == next); // FAIL
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

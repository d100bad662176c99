/*
 * A message is published through a flag.
 *
 * The flag is volatile, which makes it neither atomic nor ordered.  Under
 * sequential consistency the assertion holds, and nobody notices the race.
 *
 *   sender: is about to store ready | receiver: is about to load ready
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static int message;
static volatile int ready;

static void *sender(void *arg)
{
    (void)arg;
    message = 42;
    ready = 1; // RACE
    return NULL;
}

static void *receiver(void *arg)
{
    (void)arg;
    while (!ready) // RACE
        sched_yield();
    assert(message == 42);
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

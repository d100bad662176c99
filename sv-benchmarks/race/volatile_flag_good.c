/*
 * A message is published through a flag.
 *
 * The flag is atomic: the message is read after it was written.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static int message;
static atomic_int ready;

static void *sender(void *arg)
{
    (void)arg;
    message = 42;
    ready = 1;
    return NULL;
}

static void *receiver(void *arg)
{
    (void)arg;
    while (!ready)
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

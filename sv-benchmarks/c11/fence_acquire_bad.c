/*
 * A receiver waits for a flag by relaxed loads and then reads a message.
 *
 * There is no fence between the two (C11 7.17.4p4).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int message;
static atomic_int flag;

static void *sender(void *arg)
{
    (void)arg;
    message = 1; // RACE
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

static void *receiver(void *arg)
{
    (void)arg;
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    assert(message == 1); // RACE
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

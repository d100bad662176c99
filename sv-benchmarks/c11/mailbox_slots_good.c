/*
 * A sender prepares two messages and then sets a flag for each receiver.
 *
 * The fence that makes the messages visible comes before the first flag.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int messages[2];
static atomic_int ready[2];

static void *sender(void *arg)
{
    (void)arg;
    messages[0] = 1;
    messages[1] = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready[0], 1, memory_order_relaxed);
    atomic_store_explicit(&ready[1], 1, memory_order_relaxed);
    return NULL;
}

static void *receiver(void *arg)
{
    int me = *(int *)arg;

    while (!atomic_load_explicit(&ready[me], memory_order_acquire))
        ;
    assert(messages[me] == 1);
    return NULL;
}

static int numbers[2] = {0, 1};

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, &numbers[0]);
    pthread_create(&t3, NULL, receiver, &numbers[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}

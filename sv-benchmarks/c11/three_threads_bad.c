/*
 * A thread writes a message and sets a flag. A second thread sees the flag and sets
 * another one, after which a third thread reads the message.
 *
 * The second thread sets its flag without an order: what it has seen is not passed
 * on.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int message;
static atomic_int first, second;

static void *writer(void *arg)
{
    (void)arg;
    message = 1; // RACE
    atomic_store_explicit(&first, 1, memory_order_release);
    return NULL;
}

static void *relay(void *arg)
{
    (void)arg;
    while (!atomic_load_explicit(&first, memory_order_acquire))
        ;
    atomic_store_explicit(&second, 1, memory_order_relaxed);
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    while (!atomic_load_explicit(&second, memory_order_acquire))
        ;
    assert(message == 1); // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, relay, NULL);
    pthread_create(&t3, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}

/*
 * A message behind a flag.
 *
 * Wrong: it is read before the flag is seen.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int message;
static atomic_int ready;

static void *sender(void *arg)
{
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

static void *receiver(void *arg)
{
    if (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    message++;
    return arg;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return message != 43;
}

/*
 * A writer makes a new version of a pair and publishes it. Readers see the old one
 * or the new one.
 *
 * The pointer is stored without an order: readers may see a version that is not
 * ready.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct pair {
    int first, second;
};

static struct pair versions[2] = { {1, 1}, {0, 0} };
static _Atomic(struct pair *) current = &versions[0];

static void *writer(void *arg)
{
    struct pair *new = &versions[1];

    (void)arg;
    new->first = 2; // RACE
    new->second = 2; // RACE
    atomic_store_explicit(&current, new, memory_order_relaxed);
    return NULL;
}

static void *reader(void *arg)
{
    struct pair *seen = atomic_load_explicit(&current, memory_order_consume);

    (void)arg;
    assert(seen->first == seen->second); // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

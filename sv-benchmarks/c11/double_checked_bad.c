/*
 * An object is made by the first thread that needs it, under a mutex. Later threads
 * only look at a pointer.
 *
 * The pointer is stored without an order: a thread that finds it need not see what
 * it points to.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct config {
    int limit;
};

static struct config config;
static _Atomic(struct config *) current;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void)
{
    struct config *found = atomic_load_explicit(&current, memory_order_acquire);

    if (!found) {
        pthread_mutex_lock(&mutex);
        found = atomic_load_explicit(&current, memory_order_relaxed);
        if (!found) {
            found = &config;
            found->limit = 10; // RACE
            atomic_store_explicit(&current, found, memory_order_relaxed);
        }
        pthread_mutex_unlock(&mutex);
    }
    return found;
}

static void *user(void *arg)
{
    (void)arg;
    assert(get()->limit == 10); // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

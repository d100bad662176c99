/*
 * The first thread initialises a value; an atomic flag tells who is the first.
 *
 *   a: sets the flag | b: finds it set, uses the value | a: stores the value
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag started = ATOMIC_FLAG_INIT;
static atomic_int port;

static void *user(void *arg)
{
    (void)arg;
    if (!atomic_flag_test_and_set(&started))
        atomic_store(&port, 8080);
    int seen = atomic_load(&port);
    assert(seen == 8080); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}

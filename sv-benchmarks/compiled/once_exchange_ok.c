/* The first thread initialises a value, by pthread_once, for which the others wait. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int port;

static void initialise(void) { atomic_store(&port, 8080); }

static void *user(void *arg)
{
    (void)arg;
    pthread_once(&once, initialise);
    int seen = atomic_load(&port);
    assert(seen == 8080);
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

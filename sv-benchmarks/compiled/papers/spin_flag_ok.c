/* A thread spins on an atomic flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int message;

static void *receiver(void *arg)
{
    (void)arg;
    while (!flag)
        ;
    int seen = message;
    assert(seen == 42);
    return NULL;
}

static void *sender(void *arg)
{
    (void)arg;
    message = 42;
    flag = 1;
    return NULL;
}

int main(void)
{
    pthread_t r, s;
    pthread_create(&r, NULL, receiver, NULL);
    pthread_create(&s, NULL, sender, NULL);
    pthread_join(r, NULL);
    pthread_join(s, NULL);
    return 0;
}

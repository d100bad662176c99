/*
 * The first thread initialises.
 *
 * Wrong: each thread initialises by itself, too.
 */
#include <pthread.h>
#include <stddef.h>

#define N 3

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int config, results[N];

static void setup(void)
{
    config = 7;
}

static void *work(void *arg)
{
    pthread_once(&control, setup);
    config = config + 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

/*
 * A handler that runs when the process ends.
 */
#include <pthread.h>
#include <stdlib.h>

static int log_entries;

static void flush(void)
{
    log_entries = 0;
}

static void *work(void *arg)
{
    log_entries++;
    return arg;
}

int main(void)
{
    pthread_t thread;

    atexit(flush);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}

/*
 * Main sets the level of detail for a thread that writes a log.
 *
 * It does so before it creates the thread, which orders the two.
 */
#include <pthread.h>
#include <stddef.h>

static struct {
    int level;
    int lines;
} logging;

static void *logger(void *arg)
{
    (void)arg;
    if (logging.level > 1)
        logging.lines++;
    return NULL;
}

int main(void)
{
    pthread_t t;

    logging.level = 2;
    pthread_create(&t, NULL, logger, NULL);
    pthread_join(t, NULL);
    return logging.lines > 1;
}

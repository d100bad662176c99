/*
 * Main sets the level of detail for a thread that writes a log.
 *
 * It does so when the thread is running already.
 *
 *   logger: is about to load the level | main: is about to store it
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
    if (logging.level > 1) // RACE
        logging.lines++;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, logger, NULL);
    logging.level = 2; // RACE
    pthread_join(t, NULL);
    return logging.lines > 1;
}

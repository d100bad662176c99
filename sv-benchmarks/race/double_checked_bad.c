/*
 * Double-checked locking: whoever asks first makes the settings.
 *
 * The pointer is stored under the lock, but first looked at without it, and
 * nothing orders the two: it is not atomic.
 *
 *   t1: has the lock and is about to store the pointer | t2: is about to load it
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct settings {
    int width;
    int height;
};

static struct settings terminal;
static struct settings *settings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get_settings(void)
{
    struct settings *found = settings; // RACE

    if (found == NULL) {
        pthread_mutex_lock(&lock);
        found = settings;
        if (found == NULL) {
            terminal.width = 80;
            terminal.height = 25;
            found = &terminal;
            settings = found; // RACE
        }
        pthread_mutex_unlock(&lock);
    }
    return found;
}

static void *printer(void *arg)
{
    (void)arg;
    assert(get_settings()->width == 80);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, printer, NULL);
    pthread_create(&t2, NULL, printer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

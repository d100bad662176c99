/* a struct that is copied from what has been freed
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

struct item { int key; int value; };

struct item *shared, copy;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *drop(void *arg)
{
    pthread_mutex_lock(&lock);
    free(shared);
    shared = NULL;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    shared = malloc(sizeof *shared);
    pthread_create(&thread, NULL, drop, NULL);
    REPAIRED(pthread_mutex_lock(&lock);)
    if (shared != NULL)
        copy = *shared; // FAIL
    REPAIRED(pthread_mutex_unlock(&lock);)
    pthread_join(thread, NULL);
    return 0;
}

/* `free` of the same block by two threads
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

char *buffer;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *clean(void *arg)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    if (buffer != NULL) {
        free(buffer); // FAIL
        buffer = NULL;
    }
    REPAIRED(pthread_mutex_unlock(&lock);)
    return NULL;
}

int main(void)
{
    buffer = malloc(8);
    TWO_THREADS(clean, clean);
    return 0;
}

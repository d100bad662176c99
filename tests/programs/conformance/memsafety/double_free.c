/* `free` of the same block by two threads
 * --memsafety --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>
#include "../twins.h"

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
    pthread_t one, other;
    buffer = malloc(8);
    pthread_create(&one, NULL, clean, NULL);
    pthread_create(&other, NULL, clean, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}

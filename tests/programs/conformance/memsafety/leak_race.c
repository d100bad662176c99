/* memory that two threads allocate for the same pointer
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

int *once;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    if (once == NULL)
        once = malloc(sizeof(int));
    REPAIRED(pthread_mutex_unlock(&lock);)
    return NULL;
}

int main(void)
{
    TWO_THREADS(first, first);
    free(once);
    return 0; // FAIL
}

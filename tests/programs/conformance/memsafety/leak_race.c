/* memory that two threads allocate for the same pointer
 * --memsafety --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>
#include "../twins.h"

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
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, first, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    free(once);
    return 0; // FAIL
}

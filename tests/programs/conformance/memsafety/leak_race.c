/* memory that two threads allocate for the same pointer
 * --memsafety --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

int *once;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg)
{
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    if (once == NULL)
        once = malloc(sizeof(int));
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
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

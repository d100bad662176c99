/* memory that another thread has freed
 * --memsafety --rounds 2 --unwind 2
 */
#include <pthread.h>
#include <stdlib.h>

struct job { int number; struct job *next; };

struct job *current;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    struct job *mine = current;
#ifndef BUG
    current = NULL;
#endif
    pthread_mutex_unlock(&lock);
    free(mine);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    current = malloc(sizeof(struct job));
    current->next = NULL;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    if (current != NULL)
        current->number = 1; // FAIL
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}

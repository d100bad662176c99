/* memory that is not freed when main has left
 * --memsafety --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

void *work(void *arg)
{
    char *text = malloc(4);
#ifndef BUG
    free(text);
#endif
    return NULL; // FAIL
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}

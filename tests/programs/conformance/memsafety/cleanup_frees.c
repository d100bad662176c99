/* `free` in a cleanup handler
 * --memsafety --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

void *work(void *arg)
{
    char *buffer = malloc(4);
    pthread_cleanup_push(free, buffer);
#ifdef BUG
    free(buffer);
#endif
    buffer[1] = 1; // FAIL
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}

/* where a join puts the result
 * --memsafety --rounds 1
 */
#include <pthread.h>
#include <stdlib.h>

void *work(void *arg)
{
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void **result = malloc(sizeof *result);
    pthread_create(&thread, NULL, work, NULL);
#ifdef BUG
    free(result);
#endif
    pthread_join(thread, result); // FAIL
#ifndef BUG
    free(result);
#endif
    return 0;
}

/* `free` in a cleanup handler
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../one_thread.h"

void *work(void *arg)
{
    char *buffer = malloc(4);
    pthread_cleanup_push(free, buffer);
    BUGGY(free(buffer);)
    buffer[1] = 1; // FAIL
    pthread_cleanup_pop(1);
    return NULL;
}

/* `free` of a pointer into a block
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

char *next;

void *read(void *arg)
{
    next++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char *start = next = malloc(4);
    pthread_create(&thread, NULL, read, NULL);
    pthread_join(thread, NULL);
    BUGGY(start = next;)
    free(start); // FAIL
    return 0;
}

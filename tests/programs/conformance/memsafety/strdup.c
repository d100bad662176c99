/* memory from `strdup`
 * --memsafety --rounds 1 */
#include <stdlib.h>
#include <string.h>
#include "../program.h"

void *work(void *arg)
{
    char *copy = strdup(arg);
    copy[0] = 'x';
    BUGGY(copy = NULL;)
    free(copy);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, "a");
    pthread_join(thread, NULL);
    return 0; // FAIL
}

/* memory that is not freed when main has left
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

void *work(void *arg)
{
    char *text = malloc(4);
    REPAIRED(free(text);)
    return NULL; // FAIL
}

int main(void)
{
    START(thread, work);
    pthread_exit(NULL);
}

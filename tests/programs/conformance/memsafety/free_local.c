/* `free` of what is not from `malloc`
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include <string.h>
#include "../program.h"

char small[8];
char *text = small;

void *grow(void *arg)
{
    text = malloc(64);
    return NULL;
}

int main(void)
{
    START(thread, grow);
    BUGGY(if (1))
    REPAIRED(pthread_join(thread, NULL);)
    REPAIRED(if (text != small))
        free(text); // FAIL
    return 0;
}

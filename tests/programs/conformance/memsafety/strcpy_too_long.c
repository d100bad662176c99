/* `strcpy` into an array that is too short
 * --memsafety --rounds 1 */
#include <string.h>
#include "../one_thread.h"

const char *name = "worker";

void *work(void *arg)
{
    TWINS(char copy[6], char copy[7]);
    strcpy(copy, name); // FAIL
    return NULL;
}

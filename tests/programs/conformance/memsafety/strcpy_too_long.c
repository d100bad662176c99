/* `strcpy` into an array that is too short
 * --memsafety --rounds 1 */
#include <string.h>
#include "../program.h"

const char *name = "worker";

void *work(void *arg)
{
    TWINS(char copy[6], char copy[7]);
    strcpy(copy, name); // FAIL
    return NULL;
}

int main(void)
{
    START(thread, work);
    pthread_join(thread, NULL);
    return 0;
}

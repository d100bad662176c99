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
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}

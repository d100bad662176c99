/* `sprintf` into an array that is too short
 * --memsafety --rounds 1 */
#include <stdio.h>
#include "../one_thread.h"

int number = 1000;

void *work(void *arg)
{
    TWINS(char text[6], char text[7]);
    sprintf(text, "<%d>", number); // FAIL
    return NULL;
}

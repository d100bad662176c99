/* a flexible array member
 * --memsafety --rounds 1 */
#include <stdlib.h>
#include "../one_thread.h"

struct message { int length; char text[]; };

void *work(void *arg)
{
    struct message *message = malloc(sizeof *message + 3);
    message->length = 3;
    TWINS(message->text[message->length] = 0, message->text[message->length - 1] = 0); // FAIL
    free(message);
    return NULL;
}

/* a struct in a block that is too small for it
 * --memsafety --rounds 1 */
#include <stdlib.h>
#include "../one_thread.h"

struct pair { long first, second; };

void *work(void *arg)
{
    TWINS(struct pair *pair = malloc(sizeof pair), struct pair *pair = malloc(sizeof *pair));
    pair->first = 1;
    pair->second = 2; // FAIL
    free(pair);
    return NULL;
}

/* a pointer in memory that was never written
 * --memsafety --rounds 1 */
#include <stdlib.h>
#include "../one_thread.h"

struct node { struct node *next; };

void *work(void *arg)
{
    TWINS(struct node *node = malloc(sizeof *node), struct node *node = calloc(1, sizeof *node));
    if (node->next != NULL)
        node->next->next = NULL; // FAIL
    free(node);
    return NULL;
}

/* a list of which only the first node is freed
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

struct node { struct node *next; };

struct node *list;

void *push(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    push(NULL);
    pthread_create(&thread, NULL, push, NULL);
    pthread_join(thread, NULL);
    BUGGY(struct node *first = list;)
    BUGGY(list = NULL;)
    BUGGY(free(first);)
    return 0; // FAIL
}

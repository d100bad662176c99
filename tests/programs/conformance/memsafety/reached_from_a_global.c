/* memory that is still reached when the process ends
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

struct node { struct node *next; };

struct { int count; struct node *head[2]; } lists;

void *push(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->next = lists.head[1];
    lists.head[1] = node;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    push(NULL);
    pthread_create(&thread, NULL, push, NULL);
    pthread_join(thread, NULL);
    BUGGY(lists.head[1]->next = NULL;)
    return 0; // FAIL
}

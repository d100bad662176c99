/* the address of a node that was freed comes back: a compare-and-exchange takes the new node for the old one
 * --rounds 2 */
#include <stdatomic.h>
#include <stdlib.h>
#include "../program.h"

struct node { struct node *next; int value; };

_Atomic(struct node *) top;
int taken[3];

/* Takes nodes 0 and 1, and puts in node 2. */
void *other(void *arg)
{
    struct node *first = atomic_load(&top), *second, *expected = first;
    if (first->value != 0)
        return NULL;
    second = first->next;
    if (!atomic_compare_exchange_strong(&top, &expected, NULL))
        return NULL;
    taken[0]++;
    taken[1]++;
    BUGGY(free(first);) /* while main may be about to compare with its address */
    struct node *new = malloc(sizeof *new);
    new->value = 2;
    new->next = NULL;
    atomic_store(&top, new);
    (void)second;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second), *expected = first, *left;
    *second = (struct node){NULL, 1};
    *first = (struct node){second, 0};
    atomic_store(&top, first);
    pthread_create(&thread, NULL, other, NULL);
    if (atomic_compare_exchange_strong(&top, &expected, second)) {
        left = atomic_load(&top);
        if (left == second)
            assert(taken[1] == 0); // FAIL
    }
    pthread_join(thread, NULL);
    return 0;
}

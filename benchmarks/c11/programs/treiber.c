/* Each thread pushes a node onto a stack. */
#include "c11.h"
struct node {
    int value;
    struct node *next;
} nodes[N];
_Atomic(struct node *) top;
void *thread(void *arg)
{
    struct node *own = &nodes[(long)arg], *old;
    own->value = 1;
    do {
        old = LOAD(top, ACQ);
        own->next = old;
    } while (!CAS(top, old, own, REL));
    return 0;
}
MAIN(, top != 0)

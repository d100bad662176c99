/* A counter under an MCS lock. */
#include "c11.h"
struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
} nodes[N];
_Atomic(struct node *) tail;
int n;
void *thread(void *arg)
{
    struct node *own = &nodes[(long)arg], *other, *expected = own;
    STORE(own->next, 0, RLX);
    STORE(own->waits, 1, RLX);
    other = atomic_exchange_explicit(&tail, own, AR);
    if (other) {
        STORE(other->next, own, REL);
        while (LOAD(own->waits, ACQ)) {
        }
    }
    n++;
    other = LOAD(own->next, ACQ);
    if (!other) {
        if (CAS(tail, expected, 0, REL))
            return 0;
        while (!(other = LOAD(own->next, ACQ))) {
        }
    }
    STORE(other->waits, 0, REL);
    return 0;
}
MAIN(, n == N)

/* A ring buffer of one producer and one consumer: N elements through 2 cells. */
#include "c11.h"
enum { ELEMENTS = N };
#undef N
#define N 2
atomic_int head, tail;
int cell[2];
void *thread(void *arg)
{
    for (int i = 0; i < ELEMENTS; i++)
        if (!arg) {
            while (LOAD(tail, RLX) - LOAD(head, ACQ) == 2) {
            }
            cell[i % 2] = i;
            STORE(tail, i + 1, REL);
        } else {
            while (LOAD(tail, ACQ) == LOAD(head, RLX)) {
            }
            assert(cell[i % 2] == i);
            STORE(head, i + 1, REL);
        }
    return 0;
}
MAIN(, head == ELEMENTS)

/* `_Atomic` in typedefs, members, elements, pointers and locals
 * --rounds 2 */
#include "../program.h"

typedef _Atomic long counter;
struct box {
    char pad;
    counter in[2];
} boxes[2];
int cells[4];
int *_Atomic next = cells;

void *thread(void *arg)
{
    _Atomic int *shared = arg;
    struct box *box = &boxes[1];
    box->in[1] <<= 1;
    TWINS(box->in[0] = box->in[0] + 1, (*box).in[0]++);
    next += 1;
    *shared |= 4;
    return NULL;
}

int main(void)
{
    _Atomic int local = 1;
    pthread_t a;
    boxes[1].in[1] = 3;
    pthread_create(&a, NULL, thread, &local);
    boxes[1].in[0]++;
    ++next;
    local ^= 2;
    pthread_join(a, NULL);
    assert(local == 7 && boxes[1].in[1] == 6);
    assert(next == &cells[2]);
    assert(boxes[1].in[0] == 2); // FAIL
    return 0;
}

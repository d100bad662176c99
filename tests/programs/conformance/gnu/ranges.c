/* designators with ranges `[first ... last]`, old-style designators `member: value`
 * --rounds 2 */
#include "../program.h"

struct slot { int owner, uses; };

static struct slot slots[3] = {[0 ... 1] = {owner: -1, uses: 1}, [2] = {.owner = 5}};

void *take(void *arg)
{
    BUGGY(if (slots[1].owner == -1) slots[1].owner = (int)(long)arg, slots[1].uses++;)
    REPAIRED(__sync_fetch_and_add(&slots[1].uses, 1);)
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, take, (void *)1);
    take((void *)2);
    pthread_join(t, 0);
    TWINS(assert(slots[1].uses == 2), assert(slots[1].uses == 3)); // FAIL
    assert(slots[0].owner == -1 && slots[0].uses == 1 && slots[2].owner == 5 && slots[2].uses == 0);
    return 0;
}

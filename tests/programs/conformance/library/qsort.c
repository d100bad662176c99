/* qsort, bsearch
 * --rounds 2 */
#include <assert.h>
#include <stdlib.h>
#include "../twins.h"

struct item {
    int key;
    const char *name;
};

static int by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

int main(void)
{
    struct item items[3] = {{2, "b"}, {3, "c"}, {1, "a"}}, wanted = {2, 0}, *found;
    qsort(items, 3, sizeof items[0], by_key);
    assert(items[0].name[0] == 'a' && items[1].name[0] == 'b' && items[2].name[0] == 'c');
    BUGGY(wanted.key = 3;)
    found = bsearch(&wanted, items, 3, sizeof items[0], by_key);
    assert(found == items + 1 && found->name[0] == 'b'); // FAIL
    return 0;
}

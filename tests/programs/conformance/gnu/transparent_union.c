/* `transparent_union`
 * --rounds 1 --unwind 1 */
#include <assert.h>
#include "../twins.h"

struct plain {
    int value;
};

struct other {
    int value;
};

typedef union {
    struct plain *plain;
    struct other *other;
} any __attribute__((__transparent_union__));

static int add(any object, int number) { return object.plain->value += number; }

int main(void)
{
    struct plain first = {1};
    struct other second = {2};
    any both;
    both.other = &second;
    add(&first, 2);
    add(&second, 3);
    REPAIRED(add(both, 4);)
    assert(first.value == 3 && second.value == 9); // FAIL
    return 0;
}

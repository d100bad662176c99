/* `packed`, `aligned`
 * --rounds 1 --unwind 1 */
#include <assert.h>
#include <stddef.h>
#include "../twins.h"

struct __attribute__((packed)) tight {
    char tag;
    int value;
};

struct loose {
    char tag;
    char value __attribute__((aligned(8)));
} __attribute__((aligned(32)));

int main(void)
{
    struct tight pair[2] = {{1, 2}, {3, 4}};
    char *bytes = (char *)pair;
    assert(sizeof(struct tight) == 5 && offsetof(struct loose, value) == 8);
    assert(sizeof(struct loose) == TWINS(16, 32 && bytes[5] == 3 && bytes[6] == 4)); // FAIL
    return 0;
}

/* copies of structs with a flexible array member
 * --rounds 1 --unwind 1 */
#include <assert.h>
#include <stdlib.h>
#include "../twins.h"

struct text {
    unsigned length;
    unsigned data[];
};

int main(void)
{
    struct text *whole = malloc(sizeof *whole + 2 * sizeof(unsigned));
    whole->length = 1;
    whole->data[0] = 2;
    whole->data[1] = 3;
    struct text copy = *whole, next = {4};
    union {
        struct {
            unsigned length, data[2];
        } sized;
        struct text text;
    } both = {{5, {6, 7}}};
    both.text.data[1] = copy.length;
    TWINS(*whole = both.text, *whole = next);
    assert(whole->length == 4 && whole->data[1] == 3 && both.sized.data[1] == 1); // FAIL
    free(whole);
    return 0;
}

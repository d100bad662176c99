/* `#pragma pack`
 * --rounds 1 */
#include <assert.h>
#include <stddef.h>
#include "../twins.h"

#pragma pack(push, 1)
struct header {
    char kind;
    long length;
    short sum;
};
#pragma pack(push, 2)
struct pair {
    char tag;
    int value;
    unsigned low : 3, high : 30;
};
#pragma pack(pop)
typedef struct {
    char count;
    struct header of[2];
} list;
#pragma pack(pop)
struct plain {
    char tag;
    int value;
};
#pragma pack(4)
struct wide {
    char tag;
    double value;
    int last __attribute__((aligned(16)));
};

int main(void)
{
    list l = {2, {{1, 2, 3}, {4, 5, 6}}};
    char *bytes = (char *)&l;

    assert(sizeof(struct header) == 11 && offsetof(struct header, sum) == 9 && sizeof(list) == 23);
    assert(offsetof(struct pair, value) == 2 && sizeof(struct pair) == 12);
    assert(offsetof(struct wide, value) == 4 && offsetof(struct wide, last) == 12);
    l.of[1].length++;
    assert(bytes[12] == 4 && bytes[13] == 6 && l.of[1].sum == 6);
    TWINS(assert(sizeof(struct plain) == 5), assert(sizeof(struct plain) == 8)); // FAIL
    return 0;
}

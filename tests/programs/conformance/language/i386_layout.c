/* structs with members of 8 bytes, as i386 lays them out
 * --rounds 1 --32 */
#include <assert.h>
#include <stddef.h>
#include "../twins.h"

typedef long long wide;
struct mixed { char c; wide w; int i; };
struct nested { int a; struct mixed m[2]; double d[2]; };

int main(void)
{
    union { struct { int a; double d; } s; unsigned char bytes[12]; } u = {.bytes = {0}};

    u.s.d = 1;
    assert(sizeof(struct mixed) == 16 && offsetof(struct mixed, w) == 4 && sizeof u == 12);
    assert(u.bytes[10] == 0xf0 && u.bytes[11] == 0x3f);
    TWINS(assert(sizeof(struct nested) == 56), assert(sizeof(struct nested) == 52)); // FAIL
    return 0;
}

/* Compound assignments, and assignments used as values; through types that are narrower than int. */
#include "show.h"

int shared = 100;
unsigned char byte = 250;
_Bool flag;
int table[3] = {1, 2, 3};

int main(void)
{
    int local = 7;
    short narrow = 32000;
    int x, y;
    double d = 10;

    shared += 5;
    shared -= local;
    shared *= 3;
    shared /= 4;
    shared %= 50;
    shared <<= 4;
    shared >>= 1;
    shared &= 0xF7;
    shared |= 0x100;
    shared ^= local;
    show(shared);
    byte += 10;
    show(byte);
    narrow += 1000;
    show(narrow);
    flag += 7;
    show(flag);
    flag -= 1;
    show(flag);
    x = y = shared = byte = 300;
    show(x);
    show(y);
    show(shared);
    show(x = byte += 255);
    show((flag = 5) + 1);
    show(local += shared += 2);
    table[table[0]] += table[2] -= 1;
    show(table[0] * 100 + table[1] * 10 + table[2]);
    d /= 4;
    shared *= d;
    show(shared);
    show((local = 9, shared = local + 1, local * shared));
    return 0;
}

/* Increments in odd places. */
#include "show.h"

int shared = 3;
unsigned char byte = 255;
_Bool flag = 1;
int data[6] = {10, 20, 30, 40, 50, 60};
struct pair { int first; short second; } pairs[2] = {{1, 2}, {3, 32767}};

int main(void)
{
    int i = 0, *p = data, **pp = &p;

    show(i++ + shared--);
    show(++i * --shared);
    show(data[i++]);
    show(data[i]++ + ++data[0]);
    show(data[++i - 1]--);
    show(*p++);
    show(*++p);
    show((*p)++);
    show(++*p);
    show(*(*pp)++);
    show(p - data);
    show(byte++);
    show(++byte);
    show(--byte - 1);
    show(byte--);
    show(byte--);
    show(byte);
    show(flag++);
    show(--flag);
    show(flag--);
    show(flag);
    show(++pairs[1].second);
    show(pairs[0].first++ + (&pairs[1])->first--);
    show(pairs[0].first * 100 + pairs[1].first);
    data[i++] = *p > 2 ? 1 : 2, show(data[3]);
    if (i++ == 4 || i++ == 5)
        show(i);
    while (i-- > 2)
        show(i);
    show(i);
    for (p = data; p < data + 6;)
        show(*p++);
    return 0;
}

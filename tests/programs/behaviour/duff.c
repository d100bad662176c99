/* switch: labels inside of loops and branches, wide and narrow types, and without a block. */
#include "show.h"

static int from[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, to[9];

static void copy(int *target, const int *source, int count)
{
    int n = (count + 3) / 4;

    switch (count % 4) {
    case 0:
        do {
            *target++ = *source++;
    case 3:
            *target++ = *source++;
    case 2:
            *target++ = *source++;
    case 1:
            *target++ = *source++;
        } while (--n > 0);
    }
}

static int nested(int value)
{
    int n = 0, i = 0;

    switch (value) {
        n = 1000;
    case 1:
        for (i = 0; i < 2; i++) {
            n += 1;
            if (n > 5) {
    case 2:
                i = 5;
                n += 10;
                break;
            } else
    default:
                n += 100;
            switch (i)
            case 0:
                if (n < 200)
                    continue;
            i = 3;
        }
        n = -n;
    }
    return n;
}

static int typed(long long value)
{
    switch (value) {
    case -1:
        return 1;
    case 0xffffffffu:
        return 2;
    case 0x7fffffffffffffff:
        return 3;
    }
    switch ((unsigned)value) {
    case -2:
        return 4;
    }
    switch ((signed char)value) {
    case -3:
        return 5;
    case 'A':
        return 6;
    }
    switch ((_Bool)value) {
    case 1:
        return 7;
    }
    switch (value)
        while (value++ < 3)
    case 0:
            show(value);
    switch (value)
        ;
    switch (value) {
    }
    switch (value + 1)
    default:
        return 8;
}

int main(void)
{
    copy(to, from, 5);
    for (int i = 0; i < 9; i++)
        show(to[i]);
    copy(to, from, 8);
    for (int i = 0; i < 9; i++)
        show(to[i]);
    for (int i = 0; i < 5; i++)
        show(nested(i));
    show(typed(-1));
    show(typed(0xffffffff));
    show(typed(0x7fffffffffffffff));
    show(typed(0xfffffffe));
    show(typed(0xfd));
    show(typed(0x10041));
    show(typed(0x100));
    show(typed(0));
    return 0;
}

/* switch: fall-through, default anywhere, nesting, declarations, characters, a condition with a side effect. */
#include "show.h"

enum colour { RED, GREEN = 5, BLUE };

int shared = 2;

static int classify(int value)
{
    int found = 0;

    switch (value) {
    case 0:
        found = 1;
    case 1:
    case 2:
        found += 10;
        break;
    default:
        found = 99;
    case 7: {
        int inner = value * 2;
        found += inner;
        break;
    }
    case -3:
        return -33;
    }
    return found;
}

static int letters(const char *text)
{
    int score = 0;

    for (; *text; text++) {
        switch (*text) {
        case 'a':
            score++;
            continue;
        case 'b':
            score += 100;
            break;
        case '\n':
            return score;
        default:
            score *= 2;
        }
        score += 1000;
    }
    return -score;
}

int main(void)
{
    enum colour colour = BLUE;
    unsigned char byte = 200;
    unsigned long long wide = 0x100000001ULL;

    for (int i = -4; i < 9; i++)
        show(classify(i));
    show(letters("abca\nb"));
    show(letters("xab"));
    switch (colour) {
    case RED:
        show(1);
        break;
    case BLUE:
        switch (shared++) {
        case 2:
            show(shared);
            break;
        case 3:
            show(-1);
        }
        show(2);
    case GREEN:
        show(3);
    }
    switch (byte) {
    case 200:
        show(4);
    }
    switch (wide) {
    case 1:
        show(5);
        break;
    case 0x100000001:
        show(6);
    }
    switch (shared)
    case 3:
        show(7);
    switch (shared) {
    }
    switch (shared = 0, 1)
        default:
            show(shared);
    return 0;
}

/* `switch`: fall-through, default anywhere, nested labels, narrow and wide types
 * --rounds 1 --unwind 3 */
#include <assert.h>
#include "../twins.h"

enum colour { RED, GREEN = 5, BLUE };

static int narrow(signed char value)
{
    switch (value) {
        int kept;
    default:
        return 0;
    case -1:
        kept = 1;
        if (value) {
            kept++;
    case 'a':
            return value == 'a' ? 7 : kept;
        }
    }
    return -1;
}

static int wide(long long value)
{
    int found = 0;

    switch (value) {
    case 0x100000001:
        found = 1;
    case 1:
        found += 10;
        break;
    case -0x100000000:
        found = 100;
    }
    return found;
}

static int promoted(unsigned value)
{
    switch (value) {
    case -1:
        return 1;
    }
    switch (value)
    case 7:
        return 2;
    switch (value)
        ;
    switch (value + 0ULL) {
    }
    return 3;
}

static int looped(enum colour colour)
{
    int sum = 0;

    for (int i = 0; i < 3; i++) {
        switch (i) {
        case 0:
            continue;
        case 1:
            switch (colour) {
            case GREEN:
                sum += 1;
                break;
            case BLUE:
                sum += 2;
            }
            break;
        default:
            sum += 10;
        }
        sum += 100;
    }
    return sum;
}

int main(void)
{
    assert(narrow(-1) == 2 && narrow('a') == 7 && narrow(3) == 0);
    assert(wide(1) == 10 && wide(0x100000001) == 11 && wide(-0x100000000) == 100);
    assert(promoted(0xffffffff) == 1 && promoted(7) == 2 && promoted(8) == 3);
    assert(looped(GREEN) == 211 && looped(RED) == 210);
    TWINS(assert(wide(0x200000001) == 10), assert(wide(0x200000001) == 0)); // FAIL
    return 0;
}

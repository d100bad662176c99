/* What type an enumeration is. */
#include "show.h"

enum plain { ZERO, ONE };
enum negative { MINUS = -1, NONE };
enum large { LARGE = 1ll << 40, SMALL = 1 };
enum unsigned_large { TOP = 0x80000000u };
enum __attribute__((packed)) tiny { TINY = 200 };
struct bits { enum plain plain : 2; enum negative negative : 2; enum tiny tiny; };

int main(void)
{
    enum plain p = ZERO;
    enum negative n = NONE;
    enum large l = LARGE;
    enum { INNER = 5, NEXT } i = INNER;
    struct bits b = {3, -1, TINY};

    show(p - 1 > 0);
    show(n - 1 < 0);
    show(sizeof p * 1000 + sizeof l * 100 + sizeof(enum tiny) * 10 + sizeof LARGE);
    show(sizeof SMALL);
    show(LARGE >> 38);
    show(l / 2);
    show(TOP > 0);
    show(b.plain + 10 * b.negative + 100 * b.tiny);
    {
        enum plain { OTHER = -7, ONE = 70 } p = ONE;

        show(p + OTHER);
        show(p < -1);
    }
    show(ONE + i + NEXT);
    show(sizeof(struct bits));
    return 0;
}

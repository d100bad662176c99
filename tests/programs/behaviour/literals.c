/* Compound literals and strings, also where objects are static. */
#include "show.h"

struct point { int x, y; };
struct line { struct point from, *to; const int *marks; };

static int *numbers = (int[]){1, 2, 3};
static struct point origin = (struct point){4, 5};
static struct point *elsewhere = &(struct point){.y = 6};
static struct line line = {(struct point){7, 8}, &(struct point){9, 10}, (const int[]){[2] = 11}};
static const char *names[] = {"one", "two" "three", (char[]){'x', 0}};
static int (*table[2])(int);
static const unsigned short wide[] = u"ab\u20ac";
static int wider[] = L"x\xffff";
static char exact[3] = "abc", zeros[6] = "ab", *empty = "";

static int sum(const struct point *p)
{
    return p->x + p->y;
}

static int counted(void)
{
    static struct point held = (struct point){1, 2};

    held.x++;
    return held.x + held.y;
}

int main(void)
{
    int i, total = 0;
    struct point *last = 0;

    numbers[1]++;
    show(numbers[0] + numbers[1] + numbers[2]);
    show(origin.x + elsewhere->x + elsewhere->y);
    show(line.from.y + line.to->y + line.marks[2] + line.marks[0]);
    show(names[1][3] + names[2][0] + sizeof names);
    show(wide[2] + sizeof wide + wider[1] + sizeof L"abc" + sizeof u8"abc" + sizeof(U"ab"));
    show(L'\xffff' + u'\xff' + '\377' + 'ab');
    show(exact[2] + zeros[4] + *empty);
    counted();
    show(counted());
    for (i = 0; i < 3; i++) {
        struct point *p = &(struct point){i};

        total += p->x + p->y;
        p->y = 50;
        last = p;
    }
    show(total + last->y);
    show(sum(&(struct point){3, 4}) + (struct point){.y = 9}.y + (int[]){5, 6}[1]);
    show(sizeof((char[]){1, 2, 3}) + (table[1] == 0));
    return 0;
}

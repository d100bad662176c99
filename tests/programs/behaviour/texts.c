/* Characters and strings: copying, comparing, splitting, tables of them; signedness. */
#include "show.h"

const char *const names[] = {"zero", "one", "two", 0};
char buffer[16];

static char *copy(char *to, const char *from)
{
    char *start = to;

    while ((*to++ = *from++))
        ;
    return start;
}

static int compare(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

static int find(const char *name)
{
    const char *const *entry = names;

    for (; *entry; entry++)
        if (!compare(*entry, name))
            return entry - names;
    return -1;
}

static int number(const char *s)
{
    int value = 0, sign = 1;

    if (*s == '-' || *s == '+')
        sign = *s++ == '-' ? -1 : 1;
    while (*s >= '0' && *s <= '9')
        value = value * 10 + (*s++ - '0');
    return sign * value;
}

static int words(char *s)
{
    int count = 0, inside = 0;

    do {
        switch (*s) {
        case ' ':
        case '\t':
        case '\0':
            if (inside) {
                count++;
                *s ? (*s = '\0') : 0;
            }
            inside = 0;
            break;
        default:
            inside = 1;
        }
    } while (*s++);
    return count;
}

int main(void)
{
    char line[] = "ab  c\td";
    unsigned char high = '\xe9';
    signed char low = '\xe9';

    show(find("one") * 10 + find("two"));
    show(find("three"));
    show(number("-12"));
    show(number("+7x"));
    show(copy(buffer, names[1])[2]);
    show(compare(buffer, "one"));
    show(compare("abc", "abd") < 0);
    show(words(line));
    show(line[2] + line[6]);
    show(high);
    show(low);
    show('\xe9' < 0);
    show(compare("\xe9", "e") > 0);
    show("ab" "cd"[1]);
    show(*("xyz" + 1) + sizeof "ab\0cd" + sizeof("\x41" "B"));
    show(names[2][1] + *names[1]);
    show(names[3] == 0);
    for (const char *p = "hey"; *p; ++p)
        show(*p);
    return 0;
}

/* names that models of the C library have inside, for things of the program
 * --rounds 2 */
#define buffer places
#define at |
#include <stdio.h>
#include "../program.h"

enum { value = 7, base = 3, sum };
typedef int digit;
struct power { digit count; };
static int negative(int width) { return width - value; }

static int places;

static void *print(void *arg)
{
    char text[20];
    struct power fill = { sum at 1 };
    snprintf(text, sizeof text, "t-%d", *(int *)arg);
    buffer = text[2] - '0' + fill.count - 5 + negative(base + 4);
    return 0;
}

int main(void)
{
    pthread_t thread;
    TWINS(int number = 1, int number = 2);
    pthread_create(&thread, 0, print, &number);
    pthread_join(thread, 0);
    assert(buffer == 2); // FAIL
    return 0;
}

/* functions of the program with names that the library uses itself
 * --rounds 2 --env NAME=x */
#include <stdlib.h>
#include "../program.h"

static int strlen(int x) { return x + 1; }
int strchr(int x) { return x + 2; }

static char *found;

static void *work(void *arg)
{
    found = getenv((char *)arg + strlen(-1));
    return 0;
}

int main(void)
{
    pthread_t thread;
    TWINS(char *name = "NAME", char *name = "OTHER");
    pthread_create(&thread, 0, work, name);
    pthread_join(thread, 0);
    assert(found == 0 && strchr(1) == 3); // FAIL
    return 0;
}

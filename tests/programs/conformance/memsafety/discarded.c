/* an access whose value is not used
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

struct point { int x, y; } *point;

void *drop(void *arg)
{
    free(point);
    point = NULL;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    point = malloc(sizeof *point);
    pthread_create(&thread, NULL, drop, NULL);
    pthread_join(thread, NULL);
    BUGGY((void)point->y;) // FAIL
    REPAIRED((void)&point->y;)
    REPAIRED((void)sizeof point->y;)
    return 0;
}

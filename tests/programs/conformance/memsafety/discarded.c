/* an access whose value is not used
 * --memsafety --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

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
#ifdef BUG
    (void)point->y; // FAIL
#else
    (void)&point->y;
    (void)sizeof point->y;
#endif
    return 0;
}

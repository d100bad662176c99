/* a shift by too much, and by less than nothing
 * --overflow --rounds 2
 */
#include <pthread.h>

unsigned flags;
int position = 31;

void *next(void *arg)
{
    position++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, next, NULL);
    int here = position;
#ifndef BUG
    if (here >= 0 && here < 32)
#endif
        flags = flags | 1u << here; // FAIL
    pthread_join(thread, NULL);
    return 0;
}

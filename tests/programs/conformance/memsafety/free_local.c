/* `free` of what is not from `malloc`
 * --memsafety --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char small[8];
char *text = small;

void *grow(void *arg)
{
    text = malloc(64);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, grow, NULL);
#ifdef BUG
    if (1)
#else
    pthread_join(thread, NULL);
    if (text != small)
#endif
        free(text); // FAIL
    return 0;
}

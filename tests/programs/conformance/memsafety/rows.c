/* an index beyond a row of a two-dimensional array
 * --memsafety --rounds 1
 */
#include <pthread.h>

int table[3][4];
int width = 4;

void *fill(void *arg)
{
#ifdef BUG
    table[1][width] = 1; // FAIL
#else
    table[1][width - 1] = 1;
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
    return 0;
}

/* `*`
 * --overflow --rounds 2
 */
#include <pthread.h>

int scale = 1 << 20, count = 1 << 10;

void *grow(void *arg)
{
    count = 1 << 11;
    return NULL;
}

int main(void)
{
    pthread_t thread;
#ifdef BUG
    pthread_create(&thread, NULL, grow, NULL);
    int bytes = scale * count; // FAIL
#else
    pthread_create(&thread, NULL, grow, NULL);
    long bytes = (long)scale * count;
#endif
    pthread_join(thread, NULL);
    return 0;
}

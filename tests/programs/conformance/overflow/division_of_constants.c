/* division by a constant that is zero
 * --overflow --rounds 1
 */
#include <pthread.h>

#ifdef BUG
#define PARTS 0
#else
#define PARTS 2
#endif

int whole = 10;

void *work(void *arg)
{
    whole = whole / PARTS; // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}

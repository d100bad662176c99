/* a shift of more than the type holds
 * --overflow --rounds 2
 */
#include <pthread.h>

int value = 1;

void *next(void *arg)
{
    value = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, next, NULL);
#ifdef BUG
    value = value << 30; // FAIL
#else
    value = value << 29;
    value = (int)((unsigned)value << 31);
#endif
    pthread_join(thread, NULL);
    return 0;
}

/* unsigned numbers wrap around
 * --overflow --rounds 2
 */
#include <pthread.h>

unsigned ticket;
int served;

void *take(void *arg)
{
    ticket--;
#ifdef BUG
    served = (int)(ticket / 2) + 1; // FAIL
#else
    served = (int)(ticket / 2);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, take, NULL);
    pthread_join(thread, NULL);
    return 0;
}

/* pthread_mutex_destroy: the mutex was never initialised
 * --rounds 1
 */
#include <pthread.h>

pthread_mutex_t lock;

int main(void)
{
#ifndef BUG
    pthread_mutex_init(&lock, 0);
#endif
    pthread_mutex_destroy(&lock); // FAIL
    return 0;
}

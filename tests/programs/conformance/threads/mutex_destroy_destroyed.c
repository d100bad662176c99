/* pthread_mutex_destroy: the mutex has already been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_mutex_t lock;

int main(void)
{
    pthread_mutex_init(&lock, 0);
    pthread_mutex_destroy(&lock);
#ifndef BUG
    pthread_mutex_init(&lock, 0);
#endif
    pthread_mutex_destroy(&lock); // FAIL
    return 0;
}

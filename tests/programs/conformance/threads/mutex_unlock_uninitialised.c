/* pthread_mutex_unlock: the mutex was never initialised
 * --rounds 1
 */
#include <pthread.h>

pthread_mutex_t lock;

int main(void)
{
#ifndef BUG
    pthread_mutex_init(&lock, 0);
    pthread_mutex_lock(&lock);
#endif
    pthread_mutex_unlock(&lock); // FAIL
    return 0;
}

/* pthread_mutex_getprioceiling: the mutex has been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_mutex_t lock;

int main(void)
{
    int value;
    pthread_mutex_init(&lock, 0);
#ifdef BUG
    pthread_mutex_destroy(&lock);
#endif
    pthread_mutex_getprioceiling(&lock, &value); // FAIL
    return 0;
}

/* pthread_mutex_getprioceiling: the mutex was never initialised
 * --rounds 1
 */
#include <pthread.h>

pthread_mutex_t lock;

int main(void)
{
    int value;
#ifndef BUG
    pthread_mutex_init(&lock, 0);
#endif
    pthread_mutex_getprioceiling(&lock, &value); // FAIL
    return 0;
}

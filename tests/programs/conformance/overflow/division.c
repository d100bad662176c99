/* `/`: a divisor that another thread sets to zero
 * --overflow --rounds 2
 */
#include <pthread.h>

int sum = 6, count = 2;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *reset(void *arg)
{
    pthread_mutex_lock(&lock);
    count = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int mean = 0;
    pthread_create(&thread, NULL, reset, NULL);
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    if (count != 0)
        mean = sum / count; // FAIL
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
    return mean;
}

/* `/`: a divisor that another thread sets to zero
 * --overflow --rounds 2 */
#include "../program.h"

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
    REPAIRED(pthread_mutex_lock(&lock);)
    if (count != 0)
        mean = sum / count; // FAIL
    REPAIRED(pthread_mutex_unlock(&lock);)
    pthread_join(thread, NULL);
    return mean;
}

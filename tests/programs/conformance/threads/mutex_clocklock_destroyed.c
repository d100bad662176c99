/* pthread_mutex_clocklock: the mutex has been destroyed
 * --rounds 1
 */
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock;
struct timespec soon;

int main(void)
{
    pthread_mutex_init(&lock, 0);
#ifdef BUG
    pthread_mutex_destroy(&lock);
#endif
    pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &soon); // FAIL
    return 0;
}

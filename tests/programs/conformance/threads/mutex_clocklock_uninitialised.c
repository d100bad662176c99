/* pthread_mutex_clocklock: the mutex was never initialised
 * --rounds 1
 */
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock;
struct timespec soon;

int main(void)
{
#ifndef BUG
    pthread_mutex_init(&lock, 0);
#endif
    pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &soon); // FAIL
    return 0;
}

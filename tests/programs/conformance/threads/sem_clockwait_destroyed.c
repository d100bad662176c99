/* sem_clockwait: the semaphore has been destroyed
 * --rounds 1
 */
#include <semaphore.h>
#include <time.h>

sem_t places;
struct timespec soon;

int main(void)
{
    sem_init(&places, 0, 1);
#ifdef BUG
    sem_destroy(&places);
#endif
    sem_clockwait(&places, CLOCK_MONOTONIC, &soon); // FAIL
    return 0;
}

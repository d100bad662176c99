/* sem_timedwait: the semaphore was never initialised
 * --rounds 1
 */
#include <semaphore.h>
#include <time.h>

sem_t places;
struct timespec soon;

int main(void)
{
#ifndef BUG
    sem_init(&places, 0, 1);
#endif
    sem_timedwait(&places, &soon); // FAIL
    return 0;
}

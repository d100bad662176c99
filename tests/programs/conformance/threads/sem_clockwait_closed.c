/* sem_clockwait: the semaphore has been closed
 * --rounds 1
 */
#include <fcntl.h>
#include <semaphore.h>
#include <time.h>
struct timespec soon;

int main(void)
{
    sem_t *named = sem_open("/places", O_CREAT, 0600, 1);
#ifdef BUG
    sem_close(named);
#endif
    sem_clockwait(named, CLOCK_MONOTONIC, &soon); // FAIL
    return 0;
}

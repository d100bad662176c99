/* sem_close: the semaphore has already been closed
 * --rounds 1
 */
#include <fcntl.h>
#include <semaphore.h>

int main(void)
{
    sem_t *place = sem_open("/place", O_CREAT, 0600, 1);
    sem_close(place);
#ifndef BUG
    place = sem_open("/place", 0);
#endif
    sem_close(place); // FAIL
    return 0;
}

/* sem_close: the semaphore was not opened with sem_open
 * --rounds 1 */
#include <fcntl.h>
#include <semaphore.h>
#include "../twins.h"

sem_t unnamed;

int main(void)
{
    sem_t *place = sem_open("/place", O_CREAT, 0600, 1);
    sem_init(&unnamed, 0, 1);
    BUGGY(place = &unnamed;)
    sem_close(place); // FAIL
    return 0;
}

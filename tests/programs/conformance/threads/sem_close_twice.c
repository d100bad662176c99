/* sem_close: the semaphore has already been closed
 * --rounds 1 */
#include <fcntl.h>
#include <semaphore.h>
#include "../twins.h"

int main(void)
{
    sem_t *place = sem_open("/place", O_CREAT, 0600, 1);
    sem_close(place);
    REPAIRED(place = sem_open("/place", 0);)
    sem_close(place); // FAIL
    return 0;
}

/* sem_open with O_EXCL is for the first only
 * --rounds 2 */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include "../program.h"

sem_t *open_place(void)
{
    sem_t *place = sem_open("/place", O_CREAT | O_EXCL, 0600, 1);
    REPAIRED(if (place == SEM_FAILED && errno == EEXIST) place = sem_open("/place", 0);)
    return place;
}

void *opens(void *unused)
{
    open_place();
    return 0;
}

int main(void)
{
    START(other, opens);
    sem_t *place = open_place();
    assert(place != SEM_FAILED); // FAIL
    return 0;
}

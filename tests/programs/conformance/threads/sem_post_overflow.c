/* sem_post fails with EOVERFLOW at SEM_VALUE_MAX
 * --rounds 2 */
#include <errno.h>
#include <semaphore.h>
#include "../program.h"

sem_t places;

void *gives(void *unused)
{
    sem_post(&places);
    return 0;
}

int main(void)
{
    pthread_t other;
    sem_init(&places, 0, SEM_VALUE_MAX - 1);
    pthread_create(&other, 0, gives, 0);
    TWINS(assert(sem_post(&places) == 0), if (sem_post(&places) == -1) assert(errno == EOVERFLOW)); // FAIL
    return 0;
}

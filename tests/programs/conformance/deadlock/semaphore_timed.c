/* sem_timedwait: a call with a deadline does not block for ever
 * --deadlock --rounds 1 */
#include <semaphore.h>
#include <time.h>
#include "../twins.h"

int main(void)
{
    sem_t s;
    struct timespec soon = { 1, 0 };
    sem_init(&s, 0, 0);
    TWINS(sem_wait(&s), sem_timedwait(&s, &soon)); // DEADLOCK
    return 0;
}

/* main alone, with a semaphore
 * --deadlock --rounds 1 */
#include <semaphore.h>
#include "../twins.h"

int main(void)
{
    sem_t s;
    TWINS(sem_init(&s, 0, 1), sem_init(&s, 0, 2));
    sem_wait(&s);
    sem_wait(&s); // DEADLOCK
    return 0;
}

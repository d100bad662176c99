/* sem_destroy: the semaphore has already been destroyed
 * --rounds 1
 */
#include <semaphore.h>

sem_t places;

int main(void)
{
    sem_init(&places, 0, 1);
    sem_destroy(&places);
#ifndef BUG
    sem_init(&places, 0, 1);
#endif
    sem_destroy(&places); // FAIL
    return 0;
}

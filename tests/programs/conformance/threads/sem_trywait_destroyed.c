/* sem_trywait: the semaphore has been destroyed
 * --rounds 1
 */
#include <semaphore.h>

sem_t places;

int main(void)
{
    sem_init(&places, 0, 1);
#ifdef BUG
    sem_destroy(&places);
#endif
    sem_trywait(&places); // FAIL
    return 0;
}

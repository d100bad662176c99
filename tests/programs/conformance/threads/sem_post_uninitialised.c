/* sem_post: the semaphore was never initialised
 * --rounds 1
 */
#include <semaphore.h>

sem_t places;

int main(void)
{
#ifndef BUG
    sem_init(&places, 0, 1);
#endif
    sem_post(&places); // FAIL
    return 0;
}

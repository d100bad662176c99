/* sem_getvalue: the semaphore was never initialised
 * --rounds 1
 */
#include <semaphore.h>

sem_t places;
int value;

int main(void)
{
#ifndef BUG
    sem_init(&places, 0, 1);
#endif
    sem_getvalue(&places, &value); // FAIL
    return 0;
}

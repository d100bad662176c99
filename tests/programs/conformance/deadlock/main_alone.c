/* main alone, with a semaphore
 * --deadlock --rounds 1
 */
#include <semaphore.h>

int main(void)
{
    sem_t s;
#ifdef BUG
    sem_init(&s, 0, 1);
#else
    sem_init(&s, 0, 2);
#endif
    sem_wait(&s);
    sem_wait(&s); // DEADLOCK
    return 0;
}

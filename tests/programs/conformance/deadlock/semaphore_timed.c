/* sem_timedwait: a call with a deadline does not block for ever
 * --deadlock --rounds 1
 */
#include <semaphore.h>
#include <time.h>

int main(void)
{
    sem_t s;
    struct timespec soon = { 1, 0 };
    sem_init(&s, 0, 0);
#ifdef BUG
    sem_wait(&s); // DEADLOCK
#else
    sem_timedwait(&s, &soon);
#endif
    return 0;
}

/* sem_post: the semaphore has been closed
 * --rounds 1
 */
#include <fcntl.h>
#include <semaphore.h>

int main(void)
{
    sem_t *named = sem_open("/places", O_CREAT, 0600, 1);
#ifdef BUG
    sem_close(named);
#endif
    sem_post(named); // FAIL
    return 0;
}

/* sem_getvalue: the semaphore has been closed
 * --rounds 1
 */
#include <fcntl.h>
#include <semaphore.h>
int value;

int main(void)
{
    sem_t *named = sem_open("/places", O_CREAT, 0600, 1);
#ifdef BUG
    sem_close(named);
#endif
    sem_getvalue(named, &value); // FAIL
    return 0;
}

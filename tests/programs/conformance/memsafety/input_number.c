/* where `gettimeofday` and the like put what they find
 * --memsafety --rounds 1
 */
#include <pthread.h>
#include <stddef.h>
#include <sys/time.h>

struct timeval *now;

void *look(void *arg)
{
    gettimeofday(now, NULL); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct timeval here;
#ifdef BUG
    now = (struct timeval *)((char *)&here + sizeof here - 4);
#else
    now = &here;
#endif
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    return 0;
}

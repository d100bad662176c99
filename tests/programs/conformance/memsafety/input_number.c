/* where `gettimeofday` and the like put what they find
 * --memsafety --rounds 1 */
#include <stddef.h>
#include <sys/time.h>
#include "../program.h"

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
    TWINS(now = (struct timeval *)((char *)&here + sizeof here - 4), now = &here);
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    return 0;
}

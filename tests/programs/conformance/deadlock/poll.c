/* poll without a time limit
 * --deadlock --rounds 3 --unwind 2
 */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

int ends[2];

void *poller(void *arg)
{
    struct pollfd polled = {0, POLLIN, 0};
    polled.fd = ends[0];
#ifdef BUG
    poll(&polled, 1, -1); // DEADLOCK
#else
    poll(&polled, 1, 10);
#endif
    return 0;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    pthread_create(&t, 0, poller, 0);
    pthread_join(t, 0); // DEADLOCK
    return 0;
}

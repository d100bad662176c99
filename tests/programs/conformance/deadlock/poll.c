/* poll without a time limit
 * --deadlock --rounds 3 --unwind 2 */
#include <poll.h>
#include <unistd.h>
#include "../program.h"

int ends[2];

void *poller(void *arg)
{
    struct pollfd polled = {0, POLLIN, 0};
    polled.fd = ends[0];
    poll(&polled, 1, TWINS(-1, 10)); // DEADLOCK
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

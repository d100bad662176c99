/* poll: a time limit, and the end of a pipe
 * --rounds 3 --unwind 3 */
#include <poll.h>
#include <unistd.h>
#include "../program.h"

int ends[2], data;

void *writer(void *arg)
{
    data = 1;
    close(ends[1]);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct pollfd polled = {0, POLLIN, 0};
    pipe(ends);
    polled.fd = ends[0];
    pthread_create(&t, 0, writer, 0);
    int ready = poll(&polled, 1, TWINS(100, -1));
    assert(ready == 0 || (ready == 1 && polled.revents == POLLHUP));
    assert(data == 1); // FAIL
    pthread_join(t, 0);
    return 0;
}

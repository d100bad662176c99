/* socketpair, send, recv: a request and its answer
 * --rounds 3 --unwind 2 */
#include <sys/socket.h>
#include <unistd.h>
#include "../program.h"

int ends[2];

void *server(void *arg)
{
    int number = 0;
    if (recv(ends[1], &number, sizeof number, 0) == sizeof number) {
        number++;
        send(ends[1], &number, sizeof number, MSG_NOSIGNAL);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    int number = 41;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pthread_create(&t, 0, server, 0);
    write(ends[0], &number, sizeof number);
    TWINS(recv(ends[0], &number, sizeof number, MSG_DONTWAIT), read(ends[0], &number, sizeof number));
    assert(number == 42); // FAIL
    pthread_join(t, 0);
    return 0;
}

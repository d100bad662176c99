/* pipe2 and fcntl with O_NONBLOCK: read does not wait
 * --rounds 3 --unwind 2 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "../program.h"

int ends[2];

void *writer(void *arg)
{
    write(ends[1], "x", 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    char byte = 0;
#ifdef BUG
    pipe2(ends, O_NONBLOCK);
#else
    pipe(ends);
    fcntl(ends[0], F_SETFL, O_NONBLOCK | O_RDONLY);
    assert(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) & ~O_NONBLOCK);
#endif
    pthread_create(&t, 0, writer, 0);
    long got = read(ends[0], &byte, 1);
    assert(got == 1 || (got == -1 && errno == EAGAIN));
    assert(got == 1 && byte == 'x'); // FAIL
    pthread_join(t, 0);
    return 0;
}

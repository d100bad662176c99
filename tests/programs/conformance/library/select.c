/* select: which of two pipes can be read
 * --rounds 3 --unwind 3 */
#include <sys/select.h>
#include <unistd.h>
#include "../program.h"

int left[2], right[2];

void *writer(void *arg)
{
    write(left[1], "l", 1);
    write(right[1], "r", 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    fd_set reading;
    pipe(left);
    pipe(right);
    pthread_create(&t, 0, writer, 0);
    reading.__fds_bits[0] = 1L << left[0] | 1L << right[0];
    int ready = select(right[0] + 1, &reading, 0, 0, 0);
    assert(ready >= 1 && (reading.__fds_bits[0] >> left[0] & 1));
    assert(TWINS(ready == 2, (ready == 2) == (reading.__fds_bits[0] >> right[0] & 1))); // FAIL
    pthread_join(t, 0);
    return 0;
}

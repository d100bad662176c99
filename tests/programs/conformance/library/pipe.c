/* pipe, read, write, close: bytes, their order, and the end
 * --rounds 3 --unwind 4 */
#include <unistd.h>
#include "../program.h"

int ends[2], data;

void *reader(void *arg)
{
    unsigned char byte[4] = {0};
    long got = read(ends[0], byte, 3);
    assert(got >= 1 && got <= 2);
    if (got == 1)
        assert(read(ends[0], byte + 1, 1) == 1);
    assert(byte[0] == 7 && byte[1] == 200);
    assert(data == 1); // FAIL
    assert(read(ends[0], byte, 4) == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    unsigned char first = 7, second = 200;
    pipe(ends);
    pthread_create(&t, 0, reader, 0);
    REPAIRED(data = 1;)
    write(ends[1], &first, 1);
    write(ends[1], &second, 1);
    BUGGY(data = 1;)
    close(ends[1]);
    pthread_join(t, 0);
    return 0;
}

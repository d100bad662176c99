/* read from a pipe into an object that another thread reads
 * --race --rounds 4 --unwind 2 */
#include <unistd.h>
#include "../program.h"

int ends[2];
char byte;

void *reader(void *arg)
{
    read(ends[0], &byte, 1); // RACE
    return 0;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    write(ends[1], "x", 1);
    pthread_create(&t, 0, reader, 0);
    BUGGY(int got = byte == 'x';) // RACE
    pthread_join(t, 0);
    REPAIRED(int got = byte == 'x';)
    return !got;
}

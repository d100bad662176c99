/* write to a pipe happens before read of the byte
 * --race --rounds 4 --unwind 2 */
#include <unistd.h>
#include "../program.h"

int ends[2], data;

void *reader(void *arg)
{
    char byte;
    read(ends[0], &byte, 1);
    data++; // RACE
    return 0;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    pthread_create(&t, 0, reader, 0);
    REPAIRED(data = 1;)
    write(ends[1], "x", 1);
    BUGGY(data = 1;) // RACE
    pthread_join(t, 0);
    return 0;
}

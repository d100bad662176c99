/* read from a pipe: a writing end stays open
 * --deadlock --rounds 3 --unwind 3 */
#include <unistd.h>
#include "../program.h"

int ends[2];

void *reader(void *arg)
{
    char byte;
    while (read(ends[0], &byte, 1) == 1) // DEADLOCK
        ;
    return 0;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    pthread_create(&t, 0, reader, 0);
    write(ends[1], "x", 1);
    REPAIRED(close(ends[1]);)
    pthread_join(t, 0); // DEADLOCK
    return 0;
}

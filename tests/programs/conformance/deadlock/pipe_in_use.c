/* close does not wake a thread that reads from the pipe
 * --deadlock --rounds 3 --unwind 3 */
#include <unistd.h>
#include "../program.h"

int ends[2];

void *reader(void *arg)
{
    char byte;
    read(ends[0], &byte, 1); // DEADLOCK
    return 0;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    pthread_create(&t, 0, reader, 0);
    close(ends[TWINS(0, 1)]);
    pthread_join(t, 0); // DEADLOCK
    return 0;
}

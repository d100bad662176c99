/* read from a pipe into an object that another thread reads
 * --race --rounds 4 --unwind 2
 */
#include <pthread.h>
#include <unistd.h>

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
#ifdef BUG
    int got = byte == 'x'; // RACE
    pthread_join(t, 0);
#else
    pthread_join(t, 0);
    int got = byte == 'x';
#endif
    return !got;
}

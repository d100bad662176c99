/* eventfd: two reads for one write
 * --deadlock --rounds 3 --unwind 2 */
#include <sys/eventfd.h>
#include <unistd.h>
#include "../program.h"

int counter;

void *reader(void *arg)
{
    unsigned long long count;
    read(counter, &count, 8); // DEADLOCK
    return 0;
}

int main(void)
{
    pthread_t t, u;
    counter = eventfd(0, TWINS(0, EFD_SEMAPHORE));
    pthread_create(&t, 0, reader, 0);
    pthread_create(&u, 0, reader, 0);
    eventfd_write(counter, 2);
    pthread_join(t, 0); // DEADLOCK
    pthread_join(u, 0); // DEADLOCK
    return 0;
}

/* eventfd, eventfd_read, eventfd_write
 * --rounds 3 --unwind 2 */
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "../program.h"

int counter, data;

void *reader(void *arg)
{
    uint64_t count = 0;
    read(counter, &count, 8);
    assert(count == 2 || count == 5);
    if (count == 2) {
        eventfd_read(counter, &count);
        assert(count == 3);
    }
    assert(data == 1); // FAIL
    return 0;
}

int main(void)
{
    pthread_t t;
    uint64_t two = 2;
    counter = eventfd(0, EFD_CLOEXEC);
    pthread_create(&t, 0, reader, 0);
    write(counter, &two, 8);
    REPAIRED(data = 1;)
    eventfd_write(counter, 3);
    data = 1;
    pthread_join(t, 0);
    return 0;
}

/* eventfd with EFD_SEMAPHORE: each read takes 1
 * --rounds 3 --unwind 2 */
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "../program.h"

int places, inside;

void *worker(void *arg)
{
    uint64_t one = 1;
    read(places, &one, 8);
    assert(one == 1);
    inside++;
    assert(inside == 1); // FAIL
    inside--;
    write(places, &one, 8);
    return 0;
}

int main(void)
{
    pthread_t t;
    places = eventfd(TWINS(2, 1), EFD_SEMAPHORE);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}

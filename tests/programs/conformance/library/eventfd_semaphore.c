/* eventfd with EFD_SEMAPHORE: each read takes 1
 * --rounds 3 --unwind 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

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
#ifdef BUG
    places = eventfd(2, EFD_SEMAPHORE);
#else
    places = eventfd(1, EFD_SEMAPHORE);
#endif
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}

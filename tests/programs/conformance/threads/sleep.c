/* sleep is no way to wait for a thread
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int done;

void *work(void *unused)
{
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    assert(sleep(1) == 0);
#ifndef BUG
    pthread_join(other, 0);
#endif
    assert(done); // FAIL
    return 0;
}

/* pthread_exit in main: the process goes on until the last thread ends
 * --rounds 2 --unwind 1
 */
#include <assert.h>
#include <pthread.h>

int x;

void *work(void *arg)
{
    x = x + 1;
    assert(x == 1); // FAIL
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
#ifdef BUG
    x = 5;
    pthread_exit(0);
#else
    pthread_exit(0);
    x = 5;
#endif
    return 0;
}

/* a loop whose condition reads shared variables
 * --rounds 2 --unwind 2 */
#include "../program.h"

int left = 1, taken;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int take(void)
{
    int got;

    pthread_mutex_lock(&lock);
    got = left > 0;
    left -= got;
    pthread_mutex_unlock(&lock);
    return got;
}

void *worker(void *arg)
{
#ifdef BUG
    while (left > 0) {
        left--;
        taken++;
    }
#else
    while (take())
        taken++;
#endif
    return NULL;
}

int main(void)
{
    START(t, worker);
    worker(NULL);
    pthread_join(t, NULL);
    assert(left == 0); // FAIL
    return 0;
}

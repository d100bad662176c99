/* parameters without a name (C23)
 * --rounds 2 --unwind 2 */
#include "../program.h"

int level;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int second(int, int value, int *, int[3])
{
    return value;
}

static void *worker(void *)
{
    int before;

    REPAIRED(pthread_mutex_lock(&lock);)
    before = level;
    level = before + second(5, 1, 0, 0);
    REPAIRED(pthread_mutex_unlock(&lock);)
    return 0;
}

int main(void)
{
    TWO_THREADS(worker, worker);
    assert(level == 2); // FAIL
    return 0;
}

/* a range of `case` labels
 * --rounds 2 --unwind 2 */
#include "../program.h"

int level;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int kind(long long value)
{
    switch (value) {
    case -5 ... -1:
        return 1;
    case 0:
    case 2 ... 2:
        return 2;
    case 10 ... 0x7fffffffffffffff:
        return 3;
    }
    return 4;
}

void *worker(void *arg)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    switch (level) {
    case 0 ... 9:
        level++;
    }
    REPAIRED(pthread_mutex_unlock(&lock);)
    return NULL;
}

int main(void)
{
    pthread_t t;

    assert(kind(-5) == 1 && kind(-6) == 4 && kind(2) == 2 && kind(1) == 4);
    assert(kind(10) == 3 && kind(0x7fffffffffffffff) == 3 && kind(-0x7fffffffffffffff) == 4);
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(level == 2); // FAIL
    return 0;
}

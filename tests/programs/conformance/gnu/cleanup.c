/* the attribute `cleanup`: where its scope ends, by falling out of it, `return`, `break`, `continue` and `goto`
 * --rounds 2 --unwind 3 */
#include "../program.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count, sum;

static void unlock(pthread_mutex_t **m)
{
    pthread_mutex_unlock(*m);
}

static void add(int *p)
{
    sum = sum * 10 + *p;
}

#ifdef BUG
#define GUARD(m) pthread_mutex_lock(m), pthread_mutex_unlock(m)
#else
#define GUARD(m) \
    pthread_mutex_t *guard __attribute__((cleanup(unlock))) = (m); \
    pthread_mutex_lock(guard)
#endif
#define ADDED __attribute__((__cleanup__(add)))

static int next(void)
{
    GUARD(&mutex);
    return ++count;
}

static int leave(int how)
{
    ADDED int first = 1;
    for (ADDED int i = 2; i < 4; i++) {
        ADDED int inside = 5;
        if (how == 0)
            return first++;
        if (how == 1)
            continue;
        if (how == 2)
            break;
        goto out;
    }
out:
    return 0;
}

void *worker(void *arg)
{
    next();
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(leave(0) == 1 && sum == 522);
    sum = leave(1);
    assert(sum == 0 && count == 0);
    pthread_create(&t, 0, worker, 0);
    next();
    pthread_join(t, 0);
    assert(count == 2); // FAIL
    return 0;
}

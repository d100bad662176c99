/* An object at file level that one thread alone uses
 * --rounds 3 --unwind 1
 */
#include <assert.h>
#include <pthread.h>

int mine, yours, sum;

static void count(int *total)
{
    for (mine = 0; mine < 3; mine++)
        *total += mine;
    assert(mine == 3); // FAIL
}

void *first(void *arg)
{
    count(&sum);
    return arg;
}

void *second(void *arg)
{
#ifdef BUG
    mine = 4;
#endif
    for (yours = 0; yours < 2; yours++)
        ;
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}

/* Destructors of thread-specific data, at the end of the start function and at pthread_exit
 * --rounds 2 --unwind 3 */
#include <stdlib.h>
#include "../program.h"

pthread_key_t first, second;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ended, again;

void count(void *value)
{
    REPAIRED(pthread_mutex_lock(&m);)
    ended = ended + *(int *) value;
    REPAIRED(pthread_mutex_unlock(&m);)
    assert(pthread_getspecific(first) == 0);
}

void once_more(void *value)
{
    if (!again) {
        again = 1;
        pthread_setspecific(second, value);
    }
}

int one = 1, two = 2;

void *returns(void *arg)
{
    pthread_setspecific(first, &one);
    return &one;
}

void *exits(void *arg)
{
    pthread_setspecific(first, &two);
    REPAIRED(pthread_setspecific(second, &two);)
    if (two)
        pthread_exit(&two);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    void *x, *y;
    pthread_key_create(&first, count);
    pthread_key_create(&second, once_more);
    pthread_setspecific(first, &two);
    pthread_create(&a, 0, returns, 0);
    pthread_create(&b, 0, exits, 0);
    pthread_join(a, &x);
    pthread_join(b, &y);
    assert(x == &one && y == &two);
    assert(ended == 3); // FAIL
    REPAIRED(assert(again == 1);)
    return 0;
}

/* pthread_once from its own routine
 * --rounds 1 --unwind 2 */
#include "../program.h"

pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;
int n;

void inner(void)
{
    n++;
}

void outer(void)
{
    n++;
    TWINS(pthread_once(&first, inner), pthread_once(&second, inner)); // FAIL
}

int main(void)
{
    void (*routine)(void) = outer;
    pthread_once(&first, routine);
    pthread_once(&first, routine);
    assert(n == 2);
    return 0;
}

/* the order of `pthread_t` by `<`: any, but total, and always the same
 * --rounds 2 */
#include "../program.h"

pthread_t first;

void *run(void *arg)
{
    return 0;
}

int main(void)
{
    first = pthread_self();
    START(t1, run);
    START(t2, run);
    int below = t1 < t2;
    assert(TWINS(t1 < t2, below != (t2 < t1))); // FAIL
    assert(!(first < t1 && t1 < t2) || first <= t2);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(below == (t2 > t1));
    return 0;
}

/* an access behind the join of the other thread
 * --race --rounds 5 */
#include "../program.h"

int x;

void *one(void *arg)
{
    x = 1; // RACE
    return 0;
}

int main(void)
{
    START(t, one);
    BUGGY(x = 2;) // RACE
    pthread_join(t, 0);
    x = 3;
    return 0;
}

/* what stands in front of `pthread_create` comes before the thread
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
    pthread_t t;
    REPAIRED(x = 2;)
    pthread_create(&t, 0, one, 0);
    BUGGY(x = 2;) // RACE
    pthread_join(t, 0);
    return 0;
}

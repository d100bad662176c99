/* a local whose address a thread gets
 * --race --rounds 5 */
#include "../program.h"

int unused;

void *one(void *arg)
{
    *(int *)arg = 1; // RACE
    return 0;
}

int main(void)
{
    pthread_t t;
    int mine = 0, other = 0;
    pthread_create(&t, 0, one, &mine);
    TWINS(mine = 2, other = 2); // RACE
    pthread_join(t, 0);
    return mine + other;
}

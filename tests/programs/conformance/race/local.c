/* a local whose address a thread gets
 * --race --rounds 5
 */
#include <pthread.h>

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
#ifdef BUG
    mine = 2; // RACE
#else
    other = 2;
#endif
    pthread_join(t, 0);
    return mine + other;
}

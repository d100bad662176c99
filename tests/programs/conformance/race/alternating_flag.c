/* an atomic flag that lets one thread in at a time
 * --race --rounds 9
 */
#include <pthread.h>

#ifdef BUG
int turn;
#else
_Atomic int turn;
#endif
int x;

void *one(void *arg)
{
    if (turn == 0) { // RACE
        x++;
        turn = 1; // RACE
    }
    return 0;
}

void *two(void *arg)
{
    if (turn == 1) { // RACE
        x--;
        turn = 0; // RACE
    }
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

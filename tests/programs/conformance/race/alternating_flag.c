/* an atomic flag that lets one thread in at a time
 * --race --rounds 9 */
#include "../two_threads.h"

REPAIRED(_Atomic) int turn;
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

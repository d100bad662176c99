/* unsigned numbers wrap around
 * --overflow --rounds 2 */
#include "../program.h"

unsigned ticket;
int served;

void *take(void *arg)
{
    ticket--;
    TWINS(served = (int)(ticket / 2) + 1, served = (int)(ticket / 2)); // FAIL
    return NULL;
}

int main(void)
{
    START(thread, take);
    pthread_join(thread, NULL);
    return 0;
}

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
    pthread_t thread;
    pthread_create(&thread, NULL, take, NULL);
    pthread_join(thread, NULL);
    return 0;
}

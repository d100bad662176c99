/* pthread_once: the routine waits for a thread that waits for the routine
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_t helper;

void nothing(void)
{
}

void *help(void *arg)
{
    BUGGY(pthread_once(&once, nothing);) // DEADLOCK
    return 0;
}

void set_up(void)
{
    pthread_create(&helper, 0, help, 0);
    pthread_join(helper, 0); // DEADLOCK
}

int main(void)
{
    pthread_once(&once, set_up);
    return 0;
}

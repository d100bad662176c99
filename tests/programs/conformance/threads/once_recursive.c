/* pthread_once: the routine calls pthread_once for itself
 * --rounds 1 --unwind 2 */
#include "../program.h"

pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;

void rest(void)
{
}

void initialise(void)
{
    TWINS(pthread_once(&outer, rest), pthread_once(&inner, rest)); // FAIL
}

int main(void)
{
    pthread_once(&outer, initialise);
    return 0;
}

/* raise in a program that installs handlers
 */
#include <signal.h>

void handler(int number)
{
}

int main(void)
{
    signal(SIGUSR1, handler);
    raise(SIGUSR1); // REFUSED: `raise` in a program that installs handlers is not supported
    return 0;
}

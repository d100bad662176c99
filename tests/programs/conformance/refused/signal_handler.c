/* signal with a handler
 */
#include <signal.h>

void handler(int number)
{
}

int main(void)
{
    signal(SIGINT, handler); // REFUSED: a signal handler (`signal`) is not supported
    return 0;
}

/* pthread_kill with a signal
 * --rounds 1 */
#include <pthread.h>

int main(void)
{
    pthread_kill(pthread_self(), 15); // REFUSED: a signal (pthread_kill) is not supported
    return 0;
}

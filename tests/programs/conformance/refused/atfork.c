/* pthread_atfork
 * --rounds 1 */
#include <pthread.h>

int main(void)
{
    return pthread_atfork(0, 0, 0); // REFUSED: processes are not supported
}

/* pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS)
 * --rounds 1 */
#include <pthread.h>

int main(void)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0); // REFUSED: asynchronous cancellation is not supported
    return 0;
}

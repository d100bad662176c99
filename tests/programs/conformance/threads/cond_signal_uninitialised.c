/* pthread_cond_signal: the condition variable was never initialised
 * --rounds 1
 */
#include <pthread.h>

pthread_cond_t ready;

int main(void)
{
#ifndef BUG
    pthread_cond_init(&ready, 0);
#endif
    pthread_cond_signal(&ready); // FAIL
    return 0;
}

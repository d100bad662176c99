/* pthread_cond_destroy: the condition variable has already been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_cond_t ready;

int main(void)
{
    pthread_cond_init(&ready, 0);
    pthread_cond_destroy(&ready);
#ifndef BUG
    pthread_cond_init(&ready, 0);
#endif
    pthread_cond_destroy(&ready); // FAIL
    return 0;
}

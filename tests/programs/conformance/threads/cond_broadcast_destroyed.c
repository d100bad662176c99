/* pthread_cond_broadcast: the condition variable has been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_cond_t ready;

int main(void)
{
    pthread_cond_init(&ready, 0);
#ifdef BUG
    pthread_cond_destroy(&ready);
#endif
    pthread_cond_broadcast(&ready); // FAIL
    return 0;
}

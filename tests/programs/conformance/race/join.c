/* an access behind the join of the other thread
 * --race --rounds 5
 */
#include <pthread.h>

int x;

void *one(void *arg)
{
    x = 1; // RACE
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
#ifdef BUG
    x = 2; // RACE
#endif
    pthread_join(t, 0);
    x = 3;
    return 0;
}

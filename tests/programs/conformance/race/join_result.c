/* `pthread_join` stores the result of the thread
 * --race --rounds 7 */
#include "../program.h"

void *result;
pthread_t t1;

void *one(void *arg)
{
    (void)arg;
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    if (result == &result) // RACE
        return 0;
#endif
    (void)arg;
    return 0;
}

int main(void)
{
    pthread_t t2;
    pthread_create(&t1, 0, one, 0);
    BUGGY(pthread_create(&t2, 0, two, 0);)
    pthread_join(t1, &result); // RACE
    REPAIRED(pthread_create(&t2, 0, two, 0);)
    pthread_join(t2, 0);
    return 0;
}

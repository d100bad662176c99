/* a condition of constants, of a loop that runs once
 * --overflow --rounds 1
 */
#include <limits.h>
#include <pthread.h>

#ifdef BUG
#define LIMIT (INT_MAX + 1)
#else
#define LIMIT (INT_MIN + 1)
#endif

int runs;

void *work(void *arg)
{
    do
        runs = runs + 1;
    while (LIMIT > 0); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}

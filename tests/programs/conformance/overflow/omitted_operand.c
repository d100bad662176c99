/* `?:` without an operand, after constants
 * --overflow --rounds 1
 */
#include <limits.h>
#include <pthread.h>

#ifdef BUG
#define FIRST (INT_MAX + 1 + INT_MIN)
#else
#define FIRST (INT_MAX - 1 - (INT_MAX - 1))
#endif

int chosen;

void *work(void *arg)
{
    chosen = FIRST ?: 3; // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}

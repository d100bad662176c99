/* a result that is not used
 * --overflow --rounds 2
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

int count = INT_MAX - 1;

void *work(void *arg)
{
    count++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef BUG
    printf("%d\n", count + 1); // FAIL
#else
    printf("%u\n", count + 1u);
    (void)sizeof(count + 1);
#endif
    pthread_join(thread, NULL);
    return 0;
}

/* printf, puts, fprintf
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int count;

void *work(void *arg)
{
    printf("%d\n", count++);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifndef BUG
    pthread_join(thread, NULL);
#endif
    fprintf(stderr, "%d\n", ++count);
    puts("done");
#ifdef BUG
    pthread_join(thread, NULL);
#endif
    assert(count == 2); // FAIL
    return 0;
}

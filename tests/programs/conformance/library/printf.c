/* printf, puts, fprintf
 * --rounds 2 */
#include <stdio.h>
#include "../program.h"

int count;

void *work(void *arg)
{
    printf("%d\n", count++);
    return NULL;
}

int main(void)
{
    START(thread, work);
    REPAIRED(pthread_join(thread, NULL);)
    fprintf(stderr, "%d\n", ++count);
    puts("done");
    BUGGY(pthread_join(thread, NULL);)
    assert(count == 2); // FAIL
    return 0;
}

/* free as the destructor of thread-specific data
 * --rounds 2 --unwind 1 */
#include <stdlib.h>
#include "../program.h"

pthread_key_t key;
int sum;

void *work(void *arg)
{
    int *own = malloc(sizeof *own);
    *own = 3;
    pthread_setspecific(key, own);
    sum += *(int *) pthread_getspecific(key);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_key_create(&key, free);
    pthread_create(&a, 0, work, 0);
    REPAIRED(pthread_join(a, 0);)
    pthread_create(&b, 0, work, 0);
    BUGGY(pthread_join(a, 0);)
    pthread_join(b, 0);
    assert(sum == 6); // FAIL
    return 0;
}

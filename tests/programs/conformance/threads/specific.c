/* pthread_key_create, pthread_getspecific, pthread_setspecific, pthread_key_delete
 * --rounds 2 --unwind 1 */
#include <errno.h>
#include "../program.h"

pthread_key_t key;
int shared;

int *mine(int *new)
{
    BUGGY(return &shared;)
    REPAIRED(if (pthread_getspecific(key) == 0) pthread_setspecific(key, new);)
    REPAIRED(return pthread_getspecific(key);)
}

void *work(void *arg)
{
    int own = 0;
    *mine(&own) += 1;
    assert(*mine(&own) == 1); // FAIL
    return 0;
}

int main(void)
{
    pthread_t t;
    int own = 0;
    pthread_key_create(&key, 0);
    pthread_create(&t, 0, work, 0);
    *mine(&own) += 5;
    pthread_join(t, 0);
    REPAIRED(assert(own == 5 && pthread_getspecific(key) == &own);)
    REPAIRED(assert(pthread_key_delete(key) == 0);)
    REPAIRED(assert(pthread_setspecific(key, &own) == EINVAL);)
    return 0;
}

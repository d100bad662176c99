/* pthread_key_create, pthread_getspecific, pthread_setspecific, pthread_key_delete
 * --rounds 2 --unwind 1
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_key_t key;
int shared;

int *mine(int *new)
{
#ifdef BUG
    return &shared;
#else
    if (pthread_getspecific(key) == 0)
        pthread_setspecific(key, new);
    return pthread_getspecific(key);
#endif
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
#ifndef BUG
    assert(own == 5 && pthread_getspecific(key) == &own);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_setspecific(key, &own) == EINVAL);
#endif
    return 0;
}

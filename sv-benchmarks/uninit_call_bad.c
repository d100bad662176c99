/*
 * A function with a local that is set on one path only.
 *
 * The second call takes the path that does not set `result`; it returns
 * whatever is there, not what the first call computed.
 *
 *   t1: look(0) returns the level; look(1) returns anything
 */
#include <assert.h>
#include <pthread.h>

int level = 0;

int look(int again)
{
    int result;

    if (!again)
        result = level;
    return result;
}

void *reader(void *arg)
{
    int first, second;

    (void)arg;
    first = look(0);
    second = look(1);
    assert(first == second); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1;

    level = 5;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_join(t1, NULL);
    return 0;
}

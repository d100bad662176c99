/*
 * A function with a local that is set on every path.
 *
 * It has an initialiser, so both calls return the level.
 */
#include <assert.h>
#include <pthread.h>

int level = 0;

int look(int again)
{
    int result = 5;

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
    assert(first == second);
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

/*
 * A sequence lock: the counter is odd while the writer is at work, and a
 * reader that sees it changed throws away what it has read.
 *
 * The reader looks at the counter at the beginning and at the end.
 */
#include <assert.h>
#include <pthread.h>

int counter = 0;
int a = 0;
int b = 0;

void *reader(void *arg)
{
    int begin, end, x, y;

    (void)arg;
    begin = counter;
    x = a;
    y = b;
    end = counter;
    if (begin % 2 == 0 && begin == end)
        assert(x == y);
    return NULL;
}

void *writer(void *arg)
{
    (void)arg;
    counter++;
    a = 1;
    b = 1;
    counter++;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/*
 * main creates a parent, and the parent creates a child that does the work.
 *
 * The parent joins the child, so the work is done when main has joined the
 * parent.
 */
#include <assert.h>
#include <pthread.h>

int done = 0;

void *child(void *arg)
{
    (void)arg;
    done = 1;
    return NULL;
}

void *parent(void *arg)
{
    pthread_t c;

    (void)arg;
    pthread_create(&c, NULL, child, NULL);
    pthread_join(c, NULL);
    return NULL;
}

int main(void)
{
    pthread_t p;

    pthread_create(&p, NULL, parent, NULL);
    pthread_join(p, NULL);
    assert(done == 1);
    return 0;
}

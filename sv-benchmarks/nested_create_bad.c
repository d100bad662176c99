/*
 * main creates a parent, and the parent creates a child that does the work.
 *
 * The parent does not join the child, so main may look too early.
 *
 *   main: creates the parent | parent: creates the child, ends
 *   | main: joins the parent, but the work is not done
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
    return NULL;
}

int main(void)
{
    pthread_t p;

    pthread_create(&p, NULL, parent, NULL);
    pthread_join(p, NULL);
    assert(done == 1); // FAIL
    return 0;
}

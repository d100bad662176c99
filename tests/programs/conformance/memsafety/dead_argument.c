/* an argument on the stack of a function that does not wait for its thread
 * --memsafety --rounds 2
 */
#include <pthread.h>

pthread_t thread;

void *work(void *arg)
{
    *(int *)arg = 1; // FAIL
    return NULL;
}

static void start(void)
{
    int argument = 0;
    pthread_create(&thread, NULL, work, &argument);
#ifndef BUG
    pthread_join(thread, NULL);
#endif
}

int main(void)
{
    start();
#ifdef BUG
    pthread_join(thread, NULL);
#endif
    return 0;
}

/* an argument on the stack of a function that does not wait for its thread
 * --memsafety --rounds 2 */
#include "../program.h"

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
    REPAIRED(pthread_join(thread, NULL);)
}

int main(void)
{
    start();
    BUGGY(pthread_join(thread, NULL);)
    return 0;
}

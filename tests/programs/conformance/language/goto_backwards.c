/* goto backwards
 * --rounds 2 --unwind 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int tickets;

static void take(void)
{
    int seen;

again:
    if (pthread_mutex_trylock(&lock) != 0)
        goto again;
    seen = tickets;
    REPAIRED(tickets = seen + 1;)
    pthread_mutex_unlock(&lock);
    BUGGY(tickets = seen + 1;)
}

void *buyer(void *arg)
{
    take();
    return NULL;
}

int main(void)
{
    START(other, buyer);
    take();
    pthread_join(other, NULL);
    assert(tickets == 2); // FAIL
    return 0;
}

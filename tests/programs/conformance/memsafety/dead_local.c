/* a local of a function that has returned
 * --memsafety --rounds 2 */
#include "../program.h"

int *published;
int fallback;

static void announce(void)
{
    int here = 1;
    published = &here;
    REPAIRED(published = &fallback;)
}

void *work(void *arg)
{
    announce();
    return NULL;
}

int main(void)
{
    START(thread, work);
    pthread_join(thread, NULL);
    *published = 2; // FAIL
    return 0;
}

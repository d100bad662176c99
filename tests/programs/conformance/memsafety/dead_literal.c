/* a compound literal of a function that has returned
 * --memsafety --rounds 2 */
#include "../program.h"

struct range { int low, high; };

struct range all;
const struct range *range = &all;

static void narrow(void)
{
    TWINS(range = &, all =)(struct range){ 1, 2 };
}

void *work(void *arg)
{
    narrow();
    return NULL;
}

int main(void)
{
    START(thread, work);
    pthread_join(thread, NULL);
    return range->high; // FAIL
}

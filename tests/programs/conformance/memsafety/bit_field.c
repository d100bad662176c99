/* a bit-field of what is not there
 * --memsafety --rounds 2 */
#include <stddef.h>
#include "../program.h"

struct flags { unsigned ready : 1, done : 1; } flags;
struct flags *shared = &flags;

void *detach(void *arg)
{
    BUGGY(shared = NULL;)
    return NULL;
}

int main(void)
{
    START(thread, detach);
    shared->done = 1; // FAIL
    pthread_join(thread, NULL);
    return 0;
}

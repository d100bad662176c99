/* bit-fields side by side are one memory location: a store to one loses that to another
 * --rounds 2 */
#include "../program.h"

struct flags {
    unsigned int ready : 1;
    REPAIRED(unsigned int : 0;)
    unsigned int count : 5;
} flags;

void *thread(void *arg)
{
    flags.ready = 1;
    return NULL;
}

int main(void)
{
    START(a, thread);
    flags.count = 3;
    flags.count++;
    pthread_join(a, NULL);
    assert(flags.count == 4 && flags.ready == 1); // FAIL
    return 0;
}

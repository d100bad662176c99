/* handlers of `pthread_atfork`, in a program that does not fork
 * --rounds 2 */
#include "../program.h"

int prepared;

void prepare(void)
{
    prepared = 1;
}

int main(void)
{
    assert(pthread_atfork(prepare, 0, 0) == 0);
    assert(prepared == TWINS(1, 0)); // FAIL
    return 0;
}

/* variable-length arrays whose length is not positive
 * --rounds 2 */
#include "../program.h"

int length = 1;

void *shrink(void *arg)
{
    length--;
    return arg;
}

int main(void)
{
    START(t, shrink);
    REPAIRED(pthread_join(t, 0);)
    REPAIRED(length++;)
    char text[length]; // FAIL
    text[0] = 1;
    return text[0] - 1;
}

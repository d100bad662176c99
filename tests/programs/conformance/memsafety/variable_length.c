/* a variable-length array
 * --memsafety --rounds 1 */
#include "../program.h"

int length = 3;

void *fill(void *arg)
{
    int n = length;
    int numbers[n];
    TWINS(numbers[n] = 1, numbers[n - 1] = 1); // FAIL
    return NULL;
}

int main(void)
{
    START(thread, fill);
    pthread_join(thread, NULL);
    return 0;
}

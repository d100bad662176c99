/* scanf, sscanf, fscanf
 * --rounds 2 */
#include <stdio.h>
#include "../program.h"

int value;

void *input(void *arg)
{
    scanf("%d", &value);
    return NULL;
}

int main(void)
{
    START(thread, input);
    int before = value;
    REPAIRED(pthread_join(thread, NULL);)
    REPAIRED(before = value;)
    assert(before == value); // FAIL
    return 0;
}

/* `scanf` with several conversions and text between them
 * --rounds 2 */
#include <stdio.h>
#include "../program.h"

int width, height = 1;

void *input(void *arg)
{
    scanf("%d x %d\n", &width, &height);
    return NULL;
}

int main(void)
{
    START(t, input);
    REPAIRED(pthread_join(t, NULL);)
    REPAIRED(height = 1;)
    int before = height;
    assert(before == height); // FAIL
    return 0;
}

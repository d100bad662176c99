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
    pthread_t thread;
    pthread_create(&thread, NULL, input, NULL);
    int before = value;
    REPAIRED(pthread_join(thread, NULL);)
    REPAIRED(before = value;)
    assert(before == value); // FAIL
    return 0;
}

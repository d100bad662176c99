/* an argument of a call that does nothing else that counts
 * --memsafety --rounds 2 */
#include <stdio.h>
#include <stdlib.h>
#include "../program.h"

int *value;

void *drop(void *arg)
{
    free(value);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    value = malloc(sizeof(int));
    *value = 1;
    pthread_create(&thread, NULL, drop, NULL);
    BUGGY(printf("%d\n", *value);) // FAIL
    pthread_join(thread, NULL);
    return 0;
}

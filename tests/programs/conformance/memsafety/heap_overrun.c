/* a pointer that runs beyond the end of a block
 * --memsafety --rounds 1 --unwind 4 */
#include <stdlib.h>
#include "../program.h"

int *numbers;

void *fill(void *arg)
{
    int *end = numbers + 3;
    for (int *at = numbers; at TWINS(<=, <) end; at++)
        *at = 7; // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    numbers = malloc(3 * sizeof(int));
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
    free(numbers);
    return 0;
}

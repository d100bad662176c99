/* `realloc` of what has been freed
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

int *numbers;

void *clear(void *arg)
{
    free(numbers);
    REPAIRED(numbers = NULL;)
    return NULL;
}

int main(void)
{
    pthread_t thread;
    numbers = malloc(2 * sizeof(int));
    pthread_create(&thread, NULL, clear, NULL);
    pthread_join(thread, NULL);
    numbers = realloc(numbers, 4 * sizeof(int)); // FAIL
    free(numbers);
    return 0;
}

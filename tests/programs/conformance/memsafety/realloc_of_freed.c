/* `realloc` of what has been freed
 * --memsafety --rounds 2
 */
#include <pthread.h>
#include <stdlib.h>

int *numbers;

void *clear(void *arg)
{
    free(numbers);
#ifndef BUG
    numbers = NULL;
#endif
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

/* a pointer that runs beyond the end of a block
 * --memsafety --rounds 1 --unwind 4
 */
#include <pthread.h>
#include <stdlib.h>

int *numbers;

void *fill(void *arg)
{
    int *end = numbers + 3;
#ifdef BUG
    for (int *at = numbers; at <= end; at++)
#else
    for (int *at = numbers; at < end; at++)
#endif
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

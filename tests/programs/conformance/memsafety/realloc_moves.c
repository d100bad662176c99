/* a pointer into what `realloc` has moved
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

int *numbers;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *grow(void *arg)
{
    pthread_mutex_lock(&lock);
    numbers = realloc(numbers, 4 * sizeof(int));
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    numbers = malloc(2 * sizeof(int));
    pthread_create(&thread, NULL, grow, NULL);
    pthread_mutex_lock(&lock);
    int *first = numbers;
    REPAIRED(*first = 1;)
    pthread_mutex_unlock(&lock);
    BUGGY(*first = 1;) // FAIL
    pthread_join(thread, NULL);
    free(numbers);
    return 0;
}

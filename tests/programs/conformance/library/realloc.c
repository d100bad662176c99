/* realloc
 * --rounds 2 --unwind 3 */
#include <stdlib.h>
#include "../program.h"

int *items;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *write(void *arg)
{
    BUGGY(int *mine = items;) /* the block that this leads to may be moved away */
    pthread_mutex_lock(&lock);
    REPAIRED(int *mine = items;)
    mine[0] = 7;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    items = malloc(2 * sizeof(int));
    items[0] = 1;
    pthread_create(&thread, NULL, write, NULL);
    pthread_mutex_lock(&lock);
    items = realloc(items, 4 * sizeof(int));
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(items[0] == 7); // FAIL
    return 0;
}

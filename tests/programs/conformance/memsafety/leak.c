/* memory that is never freed
 * --memsafety --rounds 2 */
#include <stdlib.h>
#include "../program.h"

void *work(void *arg)
{
    int *local = malloc(sizeof(int));
    *local = 1;
    REPAIRED(free(local);)
    return NULL;
}

int main(void)
{
    START(thread, work);
    pthread_join(thread, NULL);
    return 0; // FAIL
}

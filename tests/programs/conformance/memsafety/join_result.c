/* where a join puts the result
 * --memsafety --rounds 1 */
#include <stdlib.h>
#include "../program.h"

void *work(void *arg)
{
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void **result = malloc(sizeof *result);
    pthread_create(&thread, NULL, work, NULL);
    BUGGY(free(result);)
    pthread_join(thread, result); // FAIL
    REPAIRED(free(result);)
    return 0;
}

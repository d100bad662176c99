/* an atomic access to what has been freed
 * --memsafety --rounds 2 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *references;
int left;

void *release(void *arg)
{
#ifdef BUG
    if (atomic_fetch_sub(references, 1) == 1)
        free(references);
    else
        left = atomic_load(references); // FAIL
#else
    if (atomic_fetch_sub(references, 1) == 1)
        free(references);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    references = malloc(sizeof *references);
    atomic_store(references, 2);
    pthread_create(&thread, NULL, release, NULL);
    if (atomic_fetch_sub(references, 1) == 1)
        free(references);
    pthread_join(thread, NULL);
    return 0;
}

/* `++` of an atomic object; `atomic_fetch_add` wraps around
 * --overflow --rounds 2
 */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count = INT_MAX;

void *add(void *arg)
{
#ifdef BUG
    count++; // FAIL
#else
    atomic_fetch_add(&count, 1);
    __atomic_add_fetch(&count, INT_MIN, __ATOMIC_SEQ_CST);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    return 0;
}

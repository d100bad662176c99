/* atomic_flag_test_and_set, atomic_flag_clear, ATOMIC_FLAG_INIT
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag flag = ATOMIC_FLAG_INIT;
int count;

void *thread(void *arg)
{
#ifndef BUG
    while (atomic_flag_test_and_set(&flag)) {
    }
#endif
    count++;
    atomic_flag_clear(&flag);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2); // FAIL
    return 0;
}

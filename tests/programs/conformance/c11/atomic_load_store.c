/* atomic_load, atomic_store, atomic_init, ATOMIC_VAR_INIT
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "../twins.h"

atomic_int count = ATOMIC_VAR_INIT(1);
atomic_bool ready;

void *thread(void *arg)
{
    TWINS(atomic_store(&count, atomic_load(&count) + 1), atomic_fetch_add(&count, 1));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    atomic_init(&count, 5);
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    atomic_store(&ready, 7);
    assert(atomic_load(&ready) == 1);
    assert(atomic_load(&count) == 7); // FAIL
    return 0;
}

/* pthread_cancel, cleanup handlers and destructors together: their order, and the result of the thread
 * --rounds 2 --unwind 2 */
#include "../program.h"

pthread_key_t key;
int order;

void handler(void *arg)
{
    order = order * 10 + 1;
}

void destroy(void *value)
{
    order = order * 10 + 2;
}

void *work(void *arg)
{
    pthread_setspecific(key, &order);
    pthread_cleanup_push(handler, 0);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return &order;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(REPAIRED(result == PTHREAD_CANCELED ? order == 12 : result == &order &&) order == 2); // FAIL
    return 0;
}

/* pthread_cancel, pthread_testcancel, PTHREAD_CANCELED
 * --rounds 2 --unwind 1 */
#include "../program.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, undone;

void undo(void *arg)
{
    undone = 1;
    REPAIRED(pthread_mutex_unlock(&m);)
}

void *work(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(undo, 0);
    x = 1;
    pthread_testcancel();
    x = 2;
    pthread_cleanup_pop(0);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(pthread_mutex_trylock(&m) == 0); // FAIL
    assert(result == PTHREAD_CANCELED ? undone && x == 1 : !undone && x == 2);
    return 0;
}

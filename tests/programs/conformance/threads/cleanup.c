/* pthread_cleanup_push, pthread_cleanup_pop
 * --rounds 2 --unwind 1 */
#include "../program.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int shared, order;

void note(void *digit)
{
    order = order * 10 + *(int *) digit;
}

void find(int leave)
{
    int two = 2;
    pthread_cleanup_push(note, &two);
    if (leave)
        pthread_exit(&shared);
    pthread_cleanup_pop(1);
}

void *work(void *arg)
{
    static int one = 1;
    pthread_mutex_lock(&m);
    TWINS(pthread_cleanup_push(note, &one), pthread_cleanup_push((void (*)(void *)) pthread_mutex_unlock, &m));
    pthread_cleanup_push(note, &one);
    find(0);
    shared++;
    find(1);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &result);
    assert(result == &shared);
    assert(pthread_mutex_trylock(&m) == 0); // FAIL
    assert(order == 221);
    return 0;
}

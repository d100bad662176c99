/* pthread_cancel of a thread in sem_wait
 * --rounds 2 --unwind 1 */
#include <semaphore.h>
#include "../program.h"

sem_t s;
int undone;

void undo(void *arg)
{
    undone++;
}

void *work(void *arg)
{
    pthread_cleanup_push(undo, 0);
    sem_wait(&s);
    REPAIRED(pthread_testcancel();)
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    int left;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    sem_post(&s);
    pthread_join(t, &result);
    sem_getvalue(&s, &left);
    assert(result == PTHREAD_CANCELED); // FAIL
    assert(undone == 1);
    return 0;
}

/*
 * Three threads print their lines one after the other; all wait on one condition
 * variable, each for its own turn.
 *
 * Who is done wakes one thread only.  It may be the wrong one, which goes back to
 * sleep; and the right one is never woken.
 *
 *   t2: waits | t3: waits | t1: turn = 1, wakes t3, ends | t3: not its turn, waits
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int turn;

void *printer(void *arg)
{
    int mine = (int)(long)arg;

    pthread_mutex_lock(&lock);
    while (turn != mine)
        pthread_cond_wait(&changed, &lock); // DEADLOCK
    turn++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, printer, (void *)0);
    pthread_create(&t2, NULL, printer, (void *)1);
    pthread_create(&t3, NULL, printer, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL); // DEADLOCK
    pthread_join(t3, NULL);
    return 0;
}

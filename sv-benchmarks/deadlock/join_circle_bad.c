/*
 * The stages of a pipeline: each ends when the one before it has ended.
 *
 * The first one joins the last, instead of nobody: each waits for another one to
 * end, and no thread can be the first to do so.
 *
 *   t1: waits for t3 | t2: waits for t1 | t3: waits for t2
 */
#include <pthread.h>

pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;
pthread_t stages[3];
int flushed[3];

static void wait_until_all_are_created(void)
{
    pthread_mutex_lock(&start);
    pthread_mutex_unlock(&start);
}

void *reader(void *arg)
{
    (void)arg;
    wait_until_all_are_created();
    pthread_join(stages[2], NULL); // DEADLOCK
    flushed[0] = 1;
    return NULL;
}

void *filter(void *arg)
{
    (void)arg;
    wait_until_all_are_created();
    pthread_join(stages[0], NULL); // DEADLOCK
    flushed[1] = 1;
    return NULL;
}

void *writer(void *arg)
{
    (void)arg;
    wait_until_all_are_created();
    pthread_join(stages[1], NULL); // DEADLOCK
    flushed[2] = 1;
    return NULL;
}

int main(void)
{
    pthread_mutex_lock(&start);
    pthread_create(&stages[0], NULL, reader, NULL);
    pthread_create(&stages[1], NULL, filter, NULL);
    pthread_create(&stages[2], NULL, writer, NULL);
    pthread_mutex_unlock(&start);
    pthread_exit(NULL);
}

/*
 * A queue of jobs: how many are waiting is counted by those who put jobs in
 * and by those who take them out.
 *
 * Each side has a lock of its own, but the count has a third one.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t put_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t take_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs[4] = {7};
static int last = 1;
static int first;
static int waiting = 1;

static void *put(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&put_lock);
    jobs[last] = 8;
    last++;
    pthread_mutex_lock(&count_lock);
    waiting++;
    pthread_mutex_unlock(&count_lock);
    pthread_mutex_unlock(&put_lock);
    return NULL;
}

static void *take(void *arg)
{
    int job;

    (void)arg;
    pthread_mutex_lock(&take_lock);
    job = jobs[first];
    first++;
    pthread_mutex_lock(&count_lock);
    waiting--;
    pthread_mutex_unlock(&count_lock);
    pthread_mutex_unlock(&take_lock);
    return job == 7 ? NULL : &jobs[0];
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, put, NULL);
    pthread_create(&t2, NULL, take, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

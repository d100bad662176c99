/*
 * The first thread to come becomes the leader; there should be only one.
 *
 * Looking for a leader and becoming one is one critical section.
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t leader;
int elected = 0;
int leaders = 0;

void *candidate(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (!elected) {
        leader = pthread_self();
        elected = 1;
    }
    pthread_mutex_unlock(&lock);

    if (pthread_equal(leader, pthread_self())) {
        leaders++;
        assert(leaders == 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, candidate, NULL);
    pthread_create(&t2, NULL, candidate, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

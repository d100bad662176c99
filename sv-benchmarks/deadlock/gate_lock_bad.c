/*
 * Two threads take two locks in opposite orders, but both have to go through a
 * gate, which is a lock, too.
 *
 * One of them opens the gate for others when it has its first lock only.
 *
 *   t1: gate, locks rear, opens the gate | t2: gate, locks front, waits for rear
 *   | t1: waits for front
 */
#include <pthread.h>

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t front = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t rear = PTHREAD_MUTEX_INITIALIZER;
int moved;

void *rear_to_front(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&rear);
    pthread_mutex_unlock(&gate);
    pthread_mutex_lock(&front); // DEADLOCK
    moved++;
    pthread_mutex_unlock(&front);
    pthread_mutex_unlock(&rear);
    return NULL;
}

void *front_to_rear(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&front);
    pthread_mutex_lock(&rear); // DEADLOCK
    pthread_mutex_unlock(&gate);
    moved++;
    pthread_mutex_unlock(&rear);
    pthread_mutex_unlock(&front);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, rear_to_front, NULL);
    pthread_create(&t2, NULL, front_to_rear, NULL);
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return 0;
}

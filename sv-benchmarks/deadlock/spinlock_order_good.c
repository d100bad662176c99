/*
 * A network driver with two spin locks.  Main only waits for the timer.
 *
 * Sender and receiver take the lock tx first.
 */
#include <pthread.h>

pthread_spinlock_t tx, rx;
int sent, received;
int ticks;

void *sender(void *arg)
{
    (void)arg;
    pthread_spin_lock(&tx);
    pthread_spin_lock(&rx);
    sent++;
    pthread_spin_unlock(&rx);
    pthread_spin_unlock(&tx);
    return NULL;
}

void *receiver(void *arg)
{
    (void)arg;
    pthread_spin_lock(&tx);
    pthread_spin_lock(&rx);
    received++;
    pthread_spin_unlock(&rx);
    pthread_spin_unlock(&tx);
    return NULL;
}

void *timer(void *arg)
{
    (void)arg;
    ticks++;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_spin_init(&tx, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&rx, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_create(&t3, NULL, timer, NULL);
    pthread_join(t3, NULL);
    return ticks;
}

/*
 * A network driver with two spin locks.  Main only waits for the timer.
 *
 * Sender and receiver take the locks in opposite orders.  When they wait for each
 * other the rest of the program goes on: the timer ticks, and main ends.
 *
 *   t1: locks tx | t2: locks rx, waits for tx | t1: waits for rx
 */
#include <pthread.h>

pthread_spinlock_t tx, rx;
int sent, received;
int ticks;

void *sender(void *arg)
{
    (void)arg;
    pthread_spin_lock(&tx);
    pthread_spin_lock(&rx); // DEADLOCK
    sent++;
    pthread_spin_unlock(&rx);
    pthread_spin_unlock(&tx);
    return NULL;
}

void *receiver(void *arg)
{
    (void)arg;
    pthread_spin_lock(&rx);
    pthread_spin_lock(&tx); // DEADLOCK
    received++;
    pthread_spin_unlock(&tx);
    pthread_spin_unlock(&rx);
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

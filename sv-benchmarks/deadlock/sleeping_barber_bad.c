/*
 * A barber sleeps when there is no customer; a customer wakes him if he sleeps.
 *
 * The barber looks into the waiting room and then goes to his chair, as two steps.
 * A customer who comes in between finds him awake, and sits down to wait.
 *
 *   t1: sees nobody | t2: comes, the barber is awake, waits | t3: the same
 *   | t1: falls asleep
 */
#include <pthread.h>

#define CUSTOMERS 2

pthread_mutex_t shop = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake_up = PTHREAD_COND_INITIALIZER;
pthread_cond_t next = PTHREAD_COND_INITIALIZER;
int came, served;
int asleep;

void *barber(void *arg)
{
    (void)arg;
    for (int i = 0; i < CUSTOMERS; i++) {
        pthread_mutex_lock(&shop);
        if (came == served) {
            pthread_mutex_unlock(&shop);
            pthread_mutex_lock(&shop);
            asleep = 1;
            while (asleep)
                pthread_cond_wait(&wake_up, &shop); // DEADLOCK
        }
        served++;
        pthread_cond_broadcast(&next);
        pthread_mutex_unlock(&shop);
    }
    return NULL;
}

void *customer(void *arg)
{
    int number;

    (void)arg;
    pthread_mutex_lock(&shop);
    number = ++came;
    if (asleep) {
        asleep = 0;
        pthread_cond_signal(&wake_up);
    }
    while (served < number)
        pthread_cond_wait(&next, &shop); // DEADLOCK
    pthread_mutex_unlock(&shop);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, barber, NULL);
    pthread_create(&t2, NULL, customer, NULL);
    pthread_create(&t3, NULL, customer, NULL);
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}

/*
 * Two dining philosophers, a mutex per fork.
 *
 * Each begins with the fork at the left.  The left fork of the one is the right
 * fork of the other: each can have one, and wait for ever for the other.
 *
 *   t1: takes fork a | t2: takes fork b, waits for fork a | t1: waits for fork b
 */
#include <pthread.h>

pthread_mutex_t fork_a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t fork_b = PTHREAD_MUTEX_INITIALIZER;
int rice = 2;

void *plato(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&fork_a);
    pthread_mutex_lock(&fork_b); // DEADLOCK
    rice--;
    pthread_mutex_unlock(&fork_b);
    pthread_mutex_unlock(&fork_a);
    return NULL;
}

void *kant(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&fork_b);
    pthread_mutex_lock(&fork_a); // DEADLOCK
    rice--;
    pthread_mutex_unlock(&fork_a);
    pthread_mutex_unlock(&fork_b);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, plato, NULL);
    pthread_create(&t2, NULL, kant, NULL);
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return rice;
}

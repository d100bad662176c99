/*
 * Two dining philosophers, a mutex per fork.
 *
 * Both begin with the same fork, so whoever has it also gets the other one.
 */
#include <pthread.h>

pthread_mutex_t fork_a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t fork_b = PTHREAD_MUTEX_INITIALIZER;
int rice = 2;

void *plato(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&fork_a);
    pthread_mutex_lock(&fork_b);
    rice--;
    pthread_mutex_unlock(&fork_b);
    pthread_mutex_unlock(&fork_a);
    return NULL;
}

void *kant(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&fork_a);
    pthread_mutex_lock(&fork_b);
    rice--;
    pthread_mutex_unlock(&fork_b);
    pthread_mutex_unlock(&fork_a);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, plato, NULL);
    pthread_create(&t2, NULL, kant, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return rice;
}

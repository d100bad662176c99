/*
 * withdraw() and deposit() take the bank's mutex; move() does both and should
 * be one step for everybody else.
 *
 * The mutex is recursive, so move() can hold it around its calls.
 */
#define _XOPEN_SOURCE 700 /* for the mutex types */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t bank;
int checking = 10;
int savings = 0;

void withdraw(int amount)
{
    pthread_mutex_lock(&bank);
    checking -= amount;
    pthread_mutex_unlock(&bank);
}

void deposit(int amount)
{
    pthread_mutex_lock(&bank);
    savings += amount;
    pthread_mutex_unlock(&bank);
}

void *move(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&bank);
    withdraw(5);
    deposit(5);
    pthread_mutex_unlock(&bank);
    return NULL;
}

void *audit(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&bank);
    assert(checking + savings == 10);
    pthread_mutex_unlock(&bank);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&bank, &attr);
    pthread_create(&t1, NULL, move, NULL);
    pthread_create(&t2, NULL, audit, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

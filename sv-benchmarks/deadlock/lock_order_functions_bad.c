/*
 * An account and a journal, each a module with a lock of its own.
 *
 * deposit() calls the journal while it holds the account's lock.
 * journal_close() calls the account while it holds the journal's lock.  No
 * function takes two locks, but both call paths do, in opposite orders.
 *
 *   t1: locks the account | t2: locks the journal, waits for the account
 *   | t1: waits for the journal
 */
#include <pthread.h>

pthread_mutex_t account_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
int balance;
int entries;
int closed_with;

static void journal_add(void)
{
    pthread_mutex_lock(&journal_lock); // DEADLOCK
    entries++;
    pthread_mutex_unlock(&journal_lock);
}

static void deposit(int amount)
{
    pthread_mutex_lock(&account_lock);
    balance += amount;
    journal_add();
    pthread_mutex_unlock(&account_lock);
}

static int current_balance(void)
{
    int current;

    pthread_mutex_lock(&account_lock); // DEADLOCK
    current = balance;
    pthread_mutex_unlock(&account_lock);
    return current;
}

static void journal_close(void)
{
    pthread_mutex_lock(&journal_lock);
    closed_with = current_balance();
    entries = 0;
    pthread_mutex_unlock(&journal_lock);
}

void *customer(void *arg)
{
    (void)arg;
    deposit(100);
    return NULL;
}

void *accountant(void *arg)
{
    (void)arg;
    journal_close();
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, customer, NULL);
    pthread_create(&t2, NULL, accountant, NULL);
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return 0;
}

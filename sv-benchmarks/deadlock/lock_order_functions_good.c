/*
 * An account and a journal, each a module with a lock of its own.
 *
 * deposit() calls the journal while it holds the account's lock.
 * journal_close() asks for the balance before it locks the journal, so nobody
 * waits for the account with the journal in his hands.
 */
#include <pthread.h>

pthread_mutex_t account_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
int balance;
int entries;
int closed_with;

static void journal_add(void)
{
    pthread_mutex_lock(&journal_lock);
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

    pthread_mutex_lock(&account_lock);
    current = balance;
    pthread_mutex_unlock(&account_lock);
    return current;
}

static void journal_close(void)
{
    int last = current_balance();

    pthread_mutex_lock(&journal_lock);
    closed_with = last;
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
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

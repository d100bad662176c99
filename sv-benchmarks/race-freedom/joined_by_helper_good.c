/*
 * A function starts and joins the thread.
 */
#include <pthread.h>
#include <stddef.h>

static int value;

static void *work(void *arg)
{
    value += *(int *)arg;
    return NULL;
}

static void run(int amount)
{
    static int amounts[2];
    pthread_t thread;

    amounts[0] = amount;
    pthread_create(&thread, NULL, work, &amounts[0]);
    pthread_join(thread, NULL);
}

int main(void)
{
    run(1);
    run(2);
    return value != 3;
}

/*
 * A player rolls a die until there is a six; another one watches.
 *
 * The score is written in two steps.
 *
 *   main: rolls a six: the sum is 6 | t1: sees the sum without the roll
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int rolls, sum;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *watcher(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    assert(sum <= 6 * rolls); // FAIL
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1;
    int most = 2;

    printf("How many rolls? ");
    if (scanf("%d", &most) != 1 || most > 3)
        most = 3;
    srand((unsigned int)time(NULL));
    pthread_create(&t1, NULL, watcher, NULL);
    for (int i = 0; i < most; i++) {
        int roll = 1 + rand() % 6;

        sum += roll;
        rolls++;
        if (roll == 6)
            break;
    }
    pthread_join(t1, NULL);
    return 0;
}

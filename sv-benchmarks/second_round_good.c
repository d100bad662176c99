/*
 * A bug for which t1 has to run again after t2: two rounds.
 *
 * t2 answers another question, which t1 does not ask.
 */
#include <assert.h>
#include <pthread.h>

int question = 0;
int answer = 0;

void *asker(void *arg)
{
    (void)arg;
    question = 1;
    assert(answer == 0);
    return NULL;
}

void *answerer(void *arg)
{
    (void)arg;
    if (question == 2)
        answer = 1;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, asker, NULL);
    pthread_create(&t2, NULL, answerer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

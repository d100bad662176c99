/*
 * Two stages of a computation, each with a pointer to its input and its output.
 *
 * The output of one is the input of the other, and both run at the same time.
 *
 *   t1: is about to store *out | t2: is about to load *in, which is the same int
 */
#include <pthread.h>
#include <stddef.h>

struct stage {
    const int *in;
    int *out;
};

static int raw = 5, scaled, shifted;

static struct stage stages[2] = {
    {&raw, &scaled},
    {&scaled, &shifted},
};

static void *run(void *arg)
{
    const struct stage *stage = arg;

    int value = *stage->in; // RACE
    *stage->out = value * 2; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, run, &stages[0]);
    pthread_create(&t2, NULL, run, &stages[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

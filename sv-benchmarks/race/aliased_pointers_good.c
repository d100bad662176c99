/*
 * Two stages of a computation, each with a pointer to its input and its output.
 *
 * Both have the same input, which is only read.
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
    {&raw, &shifted},
};

static void *run(void *arg)
{
    const struct stage *stage = arg;

    int value = *stage->in;
    *stage->out = value * 2;
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

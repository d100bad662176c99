/*
 * Two threads serve requests and count them: "it is only statistics".
 *
 * The counter is atomic.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_ulong requests;

static int serve(int request)
{
    requests++;
    return request % 7;
}

static void *server(void *arg)
{
    int *answer = arg;

    *answer = serve(*answer);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int one = 10, two = 20;

    pthread_create(&t1, NULL, server, &one);
    pthread_create(&t2, NULL, server, &two);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return one + two > 12;
}

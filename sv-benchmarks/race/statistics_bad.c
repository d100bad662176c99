/*
 * Two threads serve requests and count them: "it is only statistics".
 *
 * A plain counter that nobody protects.  Nothing depends on its value, but the
 * behaviour of the program is undefined all the same.
 *
 *   t1, t2: both are about to store the count
 */
#include <pthread.h>
#include <stddef.h>

static unsigned long requests;

static int serve(int request)
{
    requests++; // RACE
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

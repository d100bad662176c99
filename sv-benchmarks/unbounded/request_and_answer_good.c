/*
 * A client sends any number to a server and gets it back doubled, for ever,
 * by two flags.
 *
 * The server answers when the answer is there.
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

int requested, answered;
unsigned question, answer;

void *client(void *arg)
{
    unsigned x;

    (void)arg;
    for (;;) {
        x = __VERIFIER_nondet_uint();
        question = x;
        requested = 1;
        while (!answered)
            ;
        assert(answer == 2 * x);
        answered = 0;
    }
}

void *server(void *arg)
{
    (void)arg;
    for (;;) {
        while (!requested)
            ;
        requested = 0;
        answer = 2 * question;
        answered = 1;
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, client, NULL);
    pthread_create(&t2, NULL, server, NULL);
    pthread_join(t1, NULL);
    return 0;
}

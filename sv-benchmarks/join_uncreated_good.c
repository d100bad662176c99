/*
 * main creates a helper if the input asks for it.
 *
 * It joins the helper if there is one.
 */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_t helper;
int work = 0;

void *help(void *arg)
{
    (void)arg;
    work = 1;
    return NULL;
}

int main(void)
{
    int wanted = __VERIFIER_nondet_int();

    if (wanted)
        pthread_create(&helper, NULL, help, NULL);
    work = 2;
    if (wanted)
        pthread_join(helper, NULL);
    return 0;
}

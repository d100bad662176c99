/*
 * A thread spins on a plain flag.
 *
 * At -O0 it ends when the flag is set. At -O2, gcc reads the flag once, before the loop: if it is not yet set, the
 * thread spins for ever, without any access to memory. clang removes the loop, so the assertion fails.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int flag, message;

static void *receiver(void *arg)
{
    (void)arg;
    while (!flag) // RACE
        ;
    int seen = message; // RACE
    assert(seen == 42); // FAIL
    return NULL;
}

static void *sender(void *arg)
{
    (void)arg;
    message = 42; // RACE
    flag = 1;     // RACE
    return NULL;
}

int main(void)
{
    pthread_t r, s;
    pthread_create(&r, NULL, receiver, NULL);
    pthread_create(&s, NULL, sender, NULL);
    pthread_join(r, NULL);
    pthread_join(s, NULL);
    return 0;
}

/*
 * Dekker's mutual exclusion in endless loops: two threads draw from an account
 * of any amount and pay back.
 *
 * Who has to yield waits for the turn, and goes on without looking again.
 *
 *   t1: enters | t2: sees flag 0, waits | t1: leaves, gives the turn,
 *   enters again | t2: enters
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

int flag0, flag1, turn;
unsigned account;

void *first(void *arg)
{
    unsigned before, part;

    (void)arg;
    for (;;) {
        flag0 = 1;
        while (flag1) {
            if (turn != 0) {
                flag0 = 0;
                while (turn != 0)
                    ;
                flag0 = 1;
            }
        }
        before = account;
        part = __VERIFIER_nondet_uint();
        account = before - part;
        account += part;
        assert(account == before); // FAIL
        turn = 1;
        flag0 = 0;
    }
}

void *second(void *arg)
{
    unsigned part;

    (void)arg;
    for (;;) {
        flag1 = 1;
        while (flag0) {
            if (turn != 1) {
                flag1 = 0;
                while (turn != 1)
                    ;
                flag1 = 1;
                break;
            }
        }
        part = __VERIFIER_nondet_uint();
        account -= part;
        account += part;
        turn = 0;
        flag1 = 0;
    }
}

int main(void)
{
    pthread_t t1, t2;

    account = __VERIFIER_nondet_uint();
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    return 0;
}

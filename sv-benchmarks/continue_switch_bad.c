/*
 * A switch in a loop: break leaves the switch, continue goes on with the loop.
 *
 * The assertion forgot that commands can be turned into SKIP, which is not
 * counted.
 *
 *   t1: turns command 1 into SKIP | t2: does commands 0 and 2 only
 */
#include <assert.h>
#include <pthread.h>

#define ADD 1
#define ADD_TWICE 2
#define SKIP 3

int command[3] = {ADD, ADD, ADD_TWICE};

void *editor(void *arg)
{
    (void)arg;
    command[1] = SKIP;
    return NULL;
}

void *machine(void *arg)
{
    int done = 0, skipped = 0, total = 0;

    (void)arg;
    for (int i = 0; i < 3; i++) {
        switch (command[i]) {
        case SKIP:
            skipped++;
            continue;
        case ADD_TWICE:
            total++;
            /* falls through */
        case ADD:
            total++;
            break;
        default:
            total = -10;
        }
        done++;
    }
    assert(done == 3 && total == 4); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, editor, NULL);
    pthread_create(&t2, NULL, machine, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/*
 * A switch in a loop: break leaves the switch, continue goes on with the loop.
 *
 * Every command is either counted as done or as skipped.
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
    assert(done + skipped == 3 && total == done + 1);
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

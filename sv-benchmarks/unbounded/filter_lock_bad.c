/*
 * Peterson's filter for three threads: whoever is the last at a level waits
 * until nobody else is at it or above, for ever.
 *
 * The second level was left out.
 *
 *   t1: is last at level 1 | t2: is last at level 1, so t1 goes on, enters |
 *   t3: is last at level 1, so t2 goes on, enters, too
 */
#include <assert.h>
#include <pthread.h>

#define LEVELS 1

int level[4];
int last[3];
int inside;

void *climber(void *arg)
{
    int me = (int)(long)arg;
    int next = me % 3 + 1, other = next % 3 + 1;

    for (;;) {
        for (int l = 1; l <= LEVELS; l++) {
            level[me] = l;
            last[l] = me;
            while (last[l] == me && (level[next] >= l || level[other] >= l))
                ;
        }
        inside = me;
        assert(inside == me); // FAIL
        level[me] = 0;
    }
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, climber, (void *)1);
    pthread_create(&t2, NULL, climber, (void *)2);
    pthread_create(&t3, NULL, climber, (void *)3);
    pthread_join(t1, NULL);
    return 0;
}

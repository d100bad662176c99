/* pthread_create with a start function chosen at run time
 * --rounds 2 --unwind 2 */
#include <stdlib.h>
#include "../program.h"

int x, y;

typedef void *(*start)(void *);

struct job {
    start run;
    pthread_t thread;
    int *what;
};

void *up(void *n)
{
    int old = *(int *) n;
    *(int *) n = old + 1;
    return 0;
}

int twice(int *n)
{
    *n *= 2;
    return *n;
}

int launch(struct job *job)
{
    return pthread_create(&job->thread, 0, job->run, job->what) != 0;
}

int main(void)
{
    start table[] = { up, (start) twice };
    x = y = 3;
    struct job jobs[2] = { { table[0], 0, &x }, { x == 3 ? table[1] : up, 0, &TWINS(x, y) } };
    for (int i = 0; i < 2; i++)
        if (launch(&jobs[i]))
            exit(1);
    for (int i = 0; i < 2; i++)
        pthread_join(jobs[i].thread, 0);
    TWINS(assert(x != 4), assert(x == 4 && y == 6)); // FAIL
    return 0;
}

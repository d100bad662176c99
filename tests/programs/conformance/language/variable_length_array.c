/* variable-length arrays
 * --rounds 2 --unwind 3 */
#include "../program.h"

int workers = 2;

struct job { int *slots; int at; };

void *worker(void *arg)
{
    struct job *job = arg;
    TWINS(int at = job->slots[0]++, int at = job->at);

    job->slots[1 + at]++;
    return 0;
}

int main(void)
{
    int n = workers, slots[n + 1];
    pthread_t threads[n];
    struct job jobs[n];

    for (int i = 0; i < n + 1; i++)
        slots[i] = 0;
    for (int i = 0; i < n; i++) {
        jobs[i].slots = slots;
        jobs[i].at = i;
        pthread_create(&threads[i], 0, worker, &jobs[i]);
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], 0);
    assert(sizeof slots == 3 * sizeof(int));
    assert(slots[1] == 1 && slots[2] == 1); // FAIL
    return 0;
}

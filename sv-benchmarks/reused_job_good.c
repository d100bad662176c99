/*
 * Two workers sum one row of a table each; the row is told in a struct.
 *
 * Each worker has a struct of its own.
 */
#include <assert.h>
#include <pthread.h>

struct job {
    int row;
    int expected;
};

int table[2][2] = {{1, 2}, {3, 4}};

void *worker(void *arg)
{
    struct job *job = arg;
    int sum = 0;

    for (int column = 0; column < 2; column++)
        sum += table[job->row][column];
    assert(sum == job->expected);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    struct job job[2] = {{0, 3}, {1, 7}};

    pthread_create(&t1, NULL, worker, &job[0]);
    pthread_create(&t2, NULL, worker, &job[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

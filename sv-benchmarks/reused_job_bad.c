/*
 * Two workers sum one row of a table each; the row is told in a struct.
 *
 * main reuses one struct for both workers, so the first may read the row
 * that was meant for the second.
 *
 *   main: row 0, creates t1, row 1 | t1: sums row 1, gets 7 instead of 3
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
    assert(sum == job->expected); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    struct job job;

    job.row = 0;
    job.expected = 3;
    pthread_create(&t1, NULL, worker, &job);
    job.row = 1;
    job.expected = 7;
    pthread_create(&t2, NULL, worker, &job);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/*
 * A parallel loop adds to a variable that its threads share: there is no reduction clause.
 *
 *   both: are about to load and to store the sum
 */
#include <cassert>

int main()
{
    int sum = 0;
#pragma omp parallel for num_threads(2)
    for (int i = 1; i <= 4; i++)
        sum += i; // RACE
    assert(sum > 0 && sum <= 10);
}

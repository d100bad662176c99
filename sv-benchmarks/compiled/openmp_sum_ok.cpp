/* A parallel loop adds up by a reduction. */
#include <cassert>

int main()
{
    int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 1; i <= 4; i++)
        sum += i;
    assert(sum == 10);
}

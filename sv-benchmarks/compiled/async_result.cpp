/*
 * Two halves of a sum, one of them by std::async.
 *
 * Main reads the result of the other half before it has waited for its future.
 */
#include <cassert>
#include <future>
#include <numeric>
#include <vector>

static const std::vector<int> numbers{1, 2, 3, 4};
static int lower, upper;

int main()
{
    std::future<void> task = std::async(std::launch::async, [] {
        upper = std::accumulate(numbers.begin() + 2, numbers.end(), 0); // RACE
    });
    lower = std::accumulate(numbers.begin(), numbers.begin() + 2, 0);
    int sum = lower + upper; // RACE
    task.get();
    assert(sum == 3 || sum == 10);
}

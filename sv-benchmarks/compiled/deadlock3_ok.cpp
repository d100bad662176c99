/* Three philosophers who take the fork with the smaller number first. */
#include <algorithm>
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

constexpr unsigned N = 3;

static std::array<std::mutex, N> forks;
static std::array<int, N> used;

static void philosopher(unsigned id)
{
    unsigned left = id, right = (id + 1) % N;
    std::unique_lock<std::mutex> one(forks[std::min(left, right)]);
    std::unique_lock<std::mutex> other(forks[std::max(left, right)]);
    used[left]++;
    used[right]++;
}

int main()
{
    std::array<std::thread, N> threads;
    for (unsigned id = 0; id < N; id++)
        threads[id] = std::thread(philosopher, id);
    for (std::thread &thread : threads)
        thread.join();
    assert(std::all_of(used.begin(), used.end(), [](int times) { return times == 2; }));
}

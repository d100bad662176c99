/* N philosophers (-D N=6) who eat ROUNDS times, as in MCP, 3.2, but with mutexes: a deadlock, without an assertion. */
#include <mutex>
#include <thread>
#include <vector>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static std::mutex forks[N];

static void philosopher(std::mutex &one, std::mutex &other)
{
    for (int round = 0; round < ROUNDS; round++) {
        std::lock_guard<std::mutex> first(one);
        std::lock_guard<std::mutex> second(other); // DEADLOCK
    }
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < N; i++)
        threads.emplace_back(philosopher, std::ref(forks[i]), std::ref(forks[(i + 1) % N]));
    for (std::thread &thread : threads)
        thread.join();
}

// Mostly plain accesses: two threads add up an array each, 20 times, and take a lock after each time.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static long total;

static void worker()
{
    std::vector<long> numbers(10000, 1);
    for (int round = 0; round < 20; ++round) {
        long sum = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            sum += numbers[i];
            numbers[i] = 1 + (numbers[i] + round) % 1;
        }
        std::lock_guard<std::mutex> guard(lock);
        total += sum;
    }
}

int main()
{
    std::thread one(worker), other(worker);
    one.join();
    other.join();
    assert(total == 400000);
}

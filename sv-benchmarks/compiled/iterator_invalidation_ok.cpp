/* A thread appends to a vector while another one iterates over it, both under a lock. */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> prices{1, 2, 3};
static std::mutex lock;

static void writer()
{
    std::lock_guard<std::mutex> guard(lock);
    prices.push_back(4);
}

static void reader()
{
    std::lock_guard<std::mutex> guard(lock);
    int sum = 0;
    for (int price : prices)
        sum += price;
    assert(sum == 6 || sum == 10);
}

int main()
{
    std::thread a(writer), b(reader);
    a.join();
    b.join();
}

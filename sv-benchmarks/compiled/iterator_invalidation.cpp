/*
 * A thread appends to a vector while another one iterates over it.
 *
 *   reader: has the iterators | writer: push_back moves the elements and frees the old ones | reader: reads one of them
 */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> prices{1, 2, 3};
static std::mutex lock;

static void writer()
{
    std::lock_guard<std::mutex> guard(lock);
    prices.push_back(4); // RACE
}

static void reader()
{
    int sum = 0;
    for (int price : prices) // USE AFTER FREE
        sum += price;
    assert(sum == 6 || sum == 10);
}

int main()
{
    std::thread a(writer), b(reader);
    a.join();
    b.join();
}

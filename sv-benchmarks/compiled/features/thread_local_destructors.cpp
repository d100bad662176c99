// thread_local objects with constructors and destructors: those of a thread are destroyed before join returns.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive{0}, sum{0};

struct Counter {
    Counter() { alive++; }
    ~Counter()
    {
        alive--;
        sum += count;
    }
    int count = 0;
};

static thread_local Counter counter;

static void work(int times)
{
    for (int i = 0; i < times; i++)
        counter.count++;
    assert(counter.count == times);
}

int main()
{
    std::thread a(work, 2), b(work, 3);
    a.join();
    b.join();
    assert(alive == 0 && sum == 5);
}

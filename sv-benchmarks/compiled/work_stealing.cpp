/*
 * A work-stealing deque. The owner takes the last item without a compare-exchange.
 *
 *   thief: sees one item at the top | owner: takes it as the last one | thief: its compare-exchange succeeds
 */
#include <atomic>
#include <cassert>
#include <thread>

constexpr int NONE = -1;

static std::atomic<int> top{0}, bottom{2};
static std::atomic<int> items[2] = {0, 1};
static std::atomic<bool> done[2];

static int pop()
{
    int last = bottom.load() - 1;
    bottom.store(last);
    int first = top.load();
    if (first > last) {
        bottom.store(first);
        return NONE;
    }
    int item = items[last].load();
    return item;
}

static int steal()
{
    int first = top.load();
    if (first >= bottom.load())
        return NONE;
    int item = items[first].load();
    return top.compare_exchange_strong(first, first + 1) ? item : NONE;
}

static void execute(int item)
{
    if (item == NONE)
        return;
    bool before = done[item].exchange(true);
    assert(!before); // FAIL
}

static void owner()
{
    execute(pop());
    execute(pop());
}

int main()
{
    std::thread a(owner), b([] { execute(steal()); });
    a.join();
    b.join();
}

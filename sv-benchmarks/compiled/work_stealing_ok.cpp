/* A work-stealing deque. Owner and thief compete for the last item by a compare-exchange of the top. */
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
    if (first == last) {
        if (!top.compare_exchange_strong(first, first + 1))
            item = NONE;
        bottom.store(last + 1);
    }
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
    assert(!before);
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

/* A lock-free stack (Treiber) of two nodes, which are used again. The upper half of `top` is a version number. */
#include <atomic>
#include <cassert>
#include <thread>

constexpr unsigned node_of = 0xffff, version = 0x10000;

static std::atomic<unsigned> top{1};
static std::atomic<unsigned> following[3] = {0, 2, 0};
static std::atomic<bool> taken[3];

static unsigned pop()
{
    unsigned old = top.load();
    for (;;) {
        unsigned node = old & node_of;
        if (node == 0)
            return 0;
        unsigned next = following[node].load();
        if (top.compare_exchange_strong(old, ((old & ~node_of) + version) | next)) {
            bool before = taken[node].exchange(true);
            assert(!before);
            return node;
        }
    }
}

static void push(unsigned node)
{
    taken[node].store(false);
    unsigned old = top.load();
    do
        following[node].store(old & node_of);
    while (!top.compare_exchange_strong(old, ((old & ~node_of) + version) | node));
}

static void recycle()
{
    unsigned first = pop();
    pop();
    if (first != 0)
        push(first);
}

int main()
{
    std::thread a(pop), b(recycle);
    a.join();
    b.join();
    while (pop() != 0)
        ;
}

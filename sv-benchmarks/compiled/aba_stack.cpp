/*
 * A lock-free stack (Treiber) of two nodes, which are used again: ABA.
 *
 *   a: reads top 1 and its successor 2 | b: pops 1, pops 2, pushes 1 | a: its compare-exchange from 1 to 2 succeeds,
 *   and 2 is on the stack although b has it
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> top{1};
static std::atomic<unsigned> following[3] = {0, 2, 0};
static std::atomic<bool> taken[3];

static unsigned pop()
{
    unsigned old = top.load();
    for (;;) {
        unsigned node = old;
        if (node == 0)
            return 0;
        unsigned next = following[node].load();
        if (top.compare_exchange_strong(old, next)) {
            assert(!taken[node].exchange(true)); // FAIL
            return node;
        }
    }
}

static void push(unsigned node)
{
    taken[node].store(false);
    unsigned old = top.load();
    do
        following[node].store(old);
    while (!top.compare_exchange_strong(old, node));
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

/* Peterson's mutual exclusion with a descriptor per thread, after pancam, Fig. 1, with atomic flags and turn. */
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ROUNDS
#define ROUNDS 1
#endif

using Shared = std::atomic<int>;

static Shared flags[2], turn;
static std::atomic<int> count{0};

struct Descriptor {
    Shared *mine, *other;
    int last;
};

static void lock(const Descriptor &d)
{
    *d.mine = 1;
    turn = d.last;
    while (*d.other == 1 && turn == d.last)
        ;
}

static void unlock(const Descriptor &d) { *d.mine = 0; }

static void process(int id)
{
    Descriptor d = {&flags[id], &flags[1 - id], id};
    for (int round = 0; round < ROUNDS; round++) {
        lock(d);
        int others = count.fetch_add(1);
        assert(others == 0);
        count.fetch_sub(1);
        unlock(d);
    }
}

int main()
{
    std::thread t0(process, 0), t1(process, 1);
    t0.join();
    t1.join();
}

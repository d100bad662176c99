/*
 * Peterson's mutual exclusion with a descriptor per thread, after pancam, Fig. 1, for ROUNDS entries of each thread.
 *
 * The flags and the turn are plain. At -O2, gcc and clang remove the whole waiting loop, as in pancam, Fig. 2: a loop
 * that changes nothing may be taken to end. What is left stores the flag and the turn, and goes in. At -O0 the
 * assertion holds under sequential consistency, but the accesses race. -D VOLATILE keeps the loop.
 */
#include <atomic>
#include <cassert>
#include <thread>

#ifndef ROUNDS
#define ROUNDS 1
#endif

#ifdef VOLATILE
using Shared = volatile int;
#else
using Shared = int;
#endif

static Shared flags[2], turn; // RACE
static std::atomic<int> count{0};

struct Descriptor {
    Shared *mine, *other;
    int last;
};

static void lock(const Descriptor &d)
{
    *d.mine = 1;
    turn = d.last;
    while (*d.other == 1 && turn == d.last) // RACE
        ;
}

static void unlock(const Descriptor &d) { *d.mine = 0; }

static void process(int id)
{
    Descriptor d = {&flags[id], &flags[1 - id], id};
    for (int round = 0; round < ROUNDS; round++) {
        lock(d);
        int others = count.fetch_add(1);
        assert(others == 0); // FAIL
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

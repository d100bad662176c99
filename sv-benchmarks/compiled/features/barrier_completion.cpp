// A std::barrier with a completion function, which one of the threads executes; a thread leaves it after a phase.
#include <barrier>
#include <cassert>
#include <thread>

static int parts[2], sum, phases;

static void complete() noexcept
{
    phases++;
    sum = parts[0] + parts[1];
}

static std::barrier meeting(2, complete);

static void stay()
{
    parts[0] = 1;
    meeting.arrive_and_wait();
    assert(sum == 3);
    parts[0] = 5;
    meeting.arrive_and_wait();
    assert(sum == 7);
}

static void leave()
{
    parts[1] = 2;
    meeting.arrive_and_wait();
    meeting.arrive_and_drop();
}

int main()
{
    std::thread a(stay), b(leave);
    a.join();
    b.join();
    assert(phases == 2);
}

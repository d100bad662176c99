/*
 * Two tasks that share a counter without a lock, under a cooperative scheduler: see model_cooperative.model.c.
 *
 * A task gives way between its load and its store, so an update is lost under this scheduler, too.
 */
#include <atomic>
#include <cassert>
#include <thread>

extern "C" std::atomic<int> running_task;
std::atomic<int> running_task{0}; // read by the scheduling model; -1: whoever comes

static std::atomic<int> counter{0};

static void give_way(int me)
{
    running_task = -1;
    running_task = me;
}

static void task(int me)
{
    running_task = me;
    for (int i = 0; i < 2; i++) {
        int before = counter;
        give_way(me);
        counter = before + 1;
    }
    running_task = -1;
}

int main()
{
    std::thread a(task, 1), b(task, 2);
    running_task = -1;
    a.join();
    b.join();
    assert(counter == 4); // FAIL
}

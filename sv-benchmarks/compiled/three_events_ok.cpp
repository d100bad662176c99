/* Two sides step through the states of a connection; those of the client are one critical section. */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

enum State { IDLE, REQUESTED, ACCEPTED, CONFIRMED, CLOSED };

static std::atomic<State> state{IDLE};
static std::atomic<int> steps{0};
static std::mutex lock;

static void step(State from, State to)
{
    steps++;
    state.compare_exchange_strong(from, to);
}

static void client()
{
    std::lock_guard<std::mutex> guard(lock);
    step(IDLE, REQUESTED);
    step(ACCEPTED, CONFIRMED);
}

static void server()
{
    std::lock_guard<std::mutex> guard(lock);
    step(REQUESTED, ACCEPTED);
    step(CONFIRMED, CLOSED);
}

int main()
{
    std::thread a(server), b(client);
    a.join();
    b.join();
    assert(steps.load() == 4);
    assert(state.load() != CLOSED);
}

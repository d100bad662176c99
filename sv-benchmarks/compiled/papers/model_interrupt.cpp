/*
 * A main program (thread 1) and an interrupt handler (thread 2), which cannot be interrupted: see
 * model_interrupt.model.c.
 *
 * The main program changes the count of bytes with the interrupt enabled; the handler comes between load and store.
 */
#include <atomic>
#include <cassert>
#include <thread>

extern "C" std::atomic<int> in_interrupt, interrupts_disabled;
std::atomic<int> in_interrupt{0};        // read by the scheduling model
std::atomic<int> interrupts_disabled{0}; // read by the scheduling model

static std::atomic<int> bytes{1};

static void change(int by)
{
    int before = bytes;
    bytes = before + by;
}

static void consumer() { change(-1); }

static void handler()
{
    in_interrupt = 1;
    change(1);
    change(1);
    in_interrupt = 0;
}

int main()
{
    std::thread background(consumer), interrupt(handler);
    background.join();
    interrupt.join();
    assert(bytes == 2); // FAIL
}

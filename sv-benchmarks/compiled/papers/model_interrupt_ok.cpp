/*
 * A main program (thread 1) and an interrupt handler (thread 2), which cannot be interrupted: see
 * model_interrupt.model.c.
 *
 * The main program disables the interrupt while it changes the count. Without the model, the assertion fails.
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

static void consumer()
{
    interrupts_disabled = 1;
    change(-1);
    interrupts_disabled = 0;
}

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
    assert(bytes == 2);
}

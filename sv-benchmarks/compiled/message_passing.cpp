/*
 * A message and a flag that says that it is there.
 *
 * Relaxed: the flag may be seen before the message. Found with --weak only.
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> message{0}, ready{0};

int main()
{
    std::thread sender([] {
        message.store(42, std::memory_order_relaxed);
        ready.store(1, std::memory_order_relaxed);
    });
    std::thread receiver([] {
        if (ready.load(std::memory_order_relaxed) == 1) {
            int received = message.load(std::memory_order_relaxed);
            assert(received == 42); // FAIL
        }
    });
    sender.join();
    receiver.join();
}

/*
 * A message and a flag that says that it is there.
 *
 * Release and acquire: who sees the flag sees the message.
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> message{0}, ready{0};

int main()
{
    std::thread sender([] {
        message.store(42, std::memory_order_relaxed);
        ready.store(1, std::memory_order_release);
    });
    std::thread receiver([] {
        if (ready.load(std::memory_order_acquire) == 1) {
            int received = message.load(std::memory_order_relaxed);
            assert(received == 42);
        }
    });
    sender.join();
    receiver.join();
}

// std::atomic<T>::wait and notify: of an int, on which the kernel can wait, and of a wider type; of a flag.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> number{0};
static std::atomic<long long> wide{0};
static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static int message;

static void sender()
{
    message = 42;
    number.store(1);
    number.notify_one();
    wide.store(1);
    wide.notify_all();
    flag.test_and_set();
    flag.notify_all();
}

static void receiver()
{
    number.wait(0);
    assert(message == 42);
    wide.wait(0);
    assert(wide.load() == 1);
    flag.wait(false);
    assert(flag.test());
}

int main()
{
    std::thread a(receiver), b(sender);
    a.join();
    b.join();
}

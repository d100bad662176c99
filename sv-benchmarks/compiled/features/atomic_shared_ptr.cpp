// A std::atomic<std::shared_ptr<T>>: who has got an object has it as long as it is needed, whoever replaces it.
//
// Nothing loads while others store: in libstdc++ 12, `load` unlocks with memory_order_relaxed, which is a data race.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<const int>> current;

static void writer()
{
    std::shared_ptr<const int> before = current.exchange(std::make_shared<const int>(2));
    assert(*before == 1);
}

static void reader()
{
    std::shared_ptr<const int> seen;
    bool same = current.compare_exchange_strong(seen, nullptr);
    assert(!same && (*seen == 1 || *seen == 2));
}

int main()
{
    current.store(std::make_shared<const int>(1));
    std::thread a(writer), b(reader);
    a.join();
    b.join();
    std::shared_ptr<const int> last = current.load();
    assert(*last == 2);
}

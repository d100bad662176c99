/* A configuration is replaced by assigning a shared_ptr under a lock, which protects the reader's copying, too. */
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::shared_ptr<const int> limit = std::make_shared<const int>(1);

static void writer()
{
    auto next = std::make_shared<const int>(2);
    std::lock_guard<std::mutex> guard(lock);
    limit = next;
}

static std::shared_ptr<const int> current()
{
    std::lock_guard<std::mutex> guard(lock);
    return limit;
}

static void reader()
{
    std::shared_ptr<const int> seen = current();
    assert(*seen == 1 || *seen == 2);
}

int main()
{
    std::thread a(writer), b(reader);
    a.join();
    b.join();
}

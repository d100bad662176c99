/*
 * A stock of one item. Every access is under the lock, but the test and the change are in two critical sections.
 *
 *   a: sees 1 | b: sees 1, takes it | a: takes it, too: -1
 */
#include <cassert>
#include <mutex>
#include <thread>

class Stock
{
  public:
    bool available()
    {
        std::lock_guard<std::mutex> guard(lock);
        return items > 0;
    }

    void take()
    {
        std::lock_guard<std::mutex> guard(lock);
        items--;
        assert(items >= 0); // FAIL
    }

  private:
    std::mutex lock;
    int items = 1;
};

static Stock stock;

static void customer()
{
    if (stock.available())
        stock.take();
}

int main()
{
    std::thread a(customer), b(customer);
    a.join();
    b.join();
}

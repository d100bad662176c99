/* A stock of one item. The test and the change are in one critical section. */
#include <cassert>
#include <mutex>
#include <thread>

class Stock
{
  public:
    void take_if_available()
    {
        std::lock_guard<std::mutex> guard(lock);
        if (items == 0)
            return;
        items--;
        assert(items >= 0);
    }

  private:
    std::mutex lock;
    int items = 1;
};

static Stock stock;

static void customer() { stock.take_if_available(); }

int main()
{
    std::thread a(customer), b(customer);
    a.join();
    b.join();
}

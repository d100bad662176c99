// A static local object: one of two threads constructs it, the other one waits for that.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> constructed{0};

struct Table {
    Table() : size(7) { constructed++; }
    int size;
};

static const Table &table()
{
    static const Table only;
    return only;
}

static void use() { assert(table().size == 7); }

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(constructed == 1);
}

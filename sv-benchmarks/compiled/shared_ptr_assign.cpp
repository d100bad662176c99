/*
 * A configuration is replaced by assigning a shared_ptr, while another thread copies it.
 *
 *   reader: has read the pointer | writer: releases the old object | reader: counts itself as one of its owners
 */
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
    limit = next; // RACE
}

static std::shared_ptr<const int> current()
{
    return limit; // RACE
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

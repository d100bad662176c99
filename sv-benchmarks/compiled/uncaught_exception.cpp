/*
 * A thread looks up what another thread registers.
 *
 * If it comes first, `at` throws, nobody catches it, and std::terminate is called.
 */
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::map<std::string, int> ports;

static void registrar()
{
    std::lock_guard<std::mutex> guard(lock);
    ports["http"] = 80;
}

static void client()
{
    std::lock_guard<std::mutex> guard(lock);
    int port = ports.at("http"); // FAIL
    assert(port == 80);
}

int main()
{
    std::thread a(registrar), b(client);
    a.join();
    b.join();
}

/* A thread looks up what another thread registers, and has a default if it comes first. */
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
    auto found = ports.find("http");
    int port = found == ports.end() ? 80 : found->second;
    assert(port == 80);
}

int main()
{
    std::thread a(registrar), b(client);
    a.join();
    b.join();
}

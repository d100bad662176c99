/* Main stores the connection, and then starts the thread that uses it. */
#include <atomic>
#include <cassert>
#include <thread>

struct Connection {
    std::atomic<int> sent{0};
};

static Connection only;
static std::atomic<Connection *> connection;

static void worker()
{
    Connection *mine = connection.load();
    assert(mine != nullptr);
    mine->sent++;
}

int main()
{
    {
        connection.store(&only);
        std::jthread thread(worker);
    }
    assert(only.sent.load() == 1);
}

/*
 * Main starts a thread, and then stores the connection that the thread uses.
 *
 *   worker: loads a null pointer | main: stores the connection
 */
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
    assert(mine != nullptr); // FAIL
    mine->sent++;
}

int main()
{
    {
        std::jthread thread(worker);
        connection.store(&only);
    }
    assert(only.sent.load() == 1);
}

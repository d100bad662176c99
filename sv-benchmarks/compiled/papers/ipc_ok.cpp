/*
 * A queue of messages with two priorities and CAPACITY places each; SENDERS threads send MESSAGES messages each, one
 * thread receives. It has the size of the queues and the threads of pancam, Fig. 11, not its 2800 lines.
 */
#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif

template <unsigned capacity> class Ring
{
  public:
    bool empty() const { return used == 0; }
    bool full() const { return used == capacity; }

    void push(int message)
    {
        assert(used < capacity);
        messages[(first + used++) % capacity] = message;
    }

    int pop()
    {
        int message = messages[first];
        first = (first + 1) % capacity;
        used--;
        return message;
    }

  private:
    std::array<int, capacity> messages{};
    unsigned first = 0, used = 0;
};

template <unsigned capacity> class Channel
{
  public:
    void send(unsigned priority, int message)
    {
        std::unique_lock<std::mutex> guard(lock);
        while (rings[priority].full())
            changed.wait(guard);
        rings[priority].push(message);
        changed.notify_all();
    }

    int receive()
    {
        std::unique_lock<std::mutex> guard(lock);
        while (rings[0].empty() && rings[1].empty())
            changed.wait(guard);
        int message = rings[rings[1].empty() ? 0 : 1].pop();
        changed.notify_all();
        return message;
    }

  private:
    std::mutex lock;
    std::condition_variable changed;
    std::array<Ring<capacity>, 2> rings;
};

static Channel<CAPACITY> channel;

static void sender(int id)
{
    for (int i = 0; i < MESSAGES; i++)
        channel.send(i % 2, id);
}

static void receiver()
{
    int sum = 0;
    for (int i = 0; i < SENDERS * MESSAGES; i++)
        sum += channel.receive();
    assert(sum == MESSAGES * SENDERS * (SENDERS + 1) / 2);
}

int main()
{
    std::vector<std::thread> threads;
    threads.emplace_back(receiver);
    for (int id = 1; id <= SENDERS; id++)
        threads.emplace_back(sender, id);
    for (std::thread &thread : threads)
        thread.join();
}

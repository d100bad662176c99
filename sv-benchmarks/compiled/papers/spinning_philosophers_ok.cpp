/*
 * N philosophers (-D N=6) who eat ROUNDS times, and spin on forks, after MCP, 3.2. Only N - 1 may be at the table.
 *
 * The semaphore is that of POSIX: in std::counting_semaphore of libstdc++ 12 a thread can sleep for ever (GCC, PR 104928),
 * which a search finds.
 */
#include <cassert>
#include <mutex>
#include <semaphore.h>
#include <thread>
#include <vector>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static std::mutex table; // for what is atomic in the paper
static int waiting;
static sem_t seats;

class Fork
{
  public:
    void pick_up()
    {
        std::unique_lock<std::mutex> atomic(table);
        if (picked_up) {
            waiting++;
            assert(waiting < N);
            while (picked_up) {
                atomic.unlock();
                std::this_thread::yield();
                atomic.lock();
            }
            waiting--;
        }
        picked_up = true;
    }

    void put_down()
    {
        std::lock_guard<std::mutex> atomic(table);
        picked_up = false;
    }

  private:
    bool picked_up = false;
};

class Philosopher
{
  public:
    Philosopher(Fork &left, Fork &right) : left(left), right(right) {}

    void operator()()
    {
        for (int round = 0; round < ROUNDS; round++) {
            sem_wait(&seats);
            left.pick_up();
            right.pick_up();
            right.put_down();
            left.put_down();
            sem_post(&seats);
        }
    }

  private:
    Fork &left, &right;
};

int main()
{
    sem_init(&seats, 0, N - 1);
    std::vector<Fork> forks(N);
    std::vector<std::thread> threads;
    for (int i = 0; i < N; i++)
        threads.emplace_back(Philosopher(forks[i], forks[(i + 1) % N]));
    for (std::thread &thread : threads)
        thread.join();
}

// Waiting through the kernel: futexes of libstdc++, descriptors, signals. `./system MODE` ends with 0, except as said.
#undef NDEBUG
#include <arpa/inet.h>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mutex>
#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "../primitives/primitives.h"

namespace
{

int ends[2];
std::atomic<int> handled, value, flag;
std::mutex mutex;

void handle(int) { handled++; }

void handle_locking(int) { std::lock_guard lock(mutex); }

void set_handler(void (*handler)(int), int signal = SIGUSR1)
{
    struct sigaction action = {};
    action.sa_handler = handler;
    assert(sigaction(signal, &action, nullptr) == 0);
}

// ---- futexes ----

void notified()
{
    std::jthread other([] {
        value = 1;
        value.notify_one();
    });
    value.wait(0);
    assert(value == 1);
}

/* The waiter looks at one variable, and is notified of another. */
void unnotified()
{
    std::jthread other([] {
        value = 1;
        flag = 1;
        flag.notify_one();
    });
    flag.wait(0);
    if (value == 1)
        value.wait(1); // nobody will change it again
}

/* The value goes back before the waiter has seen it: whether it waits for ever depends on the schedule. */
void missed()
{
    std::jthread other([] {
        value = 1;
        value.notify_one();
        value = 0;
    });
    value.wait(0);
}

// ---- descriptors ----

void piped()
{
    assert(pipe(ends) == 0);
    std::thread other([] {
        char letter;
        assert(read(ends[0], &letter, 1) == 1 && letter == 'a');
        assert(read(ends[0], &letter, 1) == 0);
    });
    assert(write(ends[1], "a", 1) == 1);
    close(ends[1]);
    other.join();
}

void full()
{
    static char buffer[1 << 16];
    assert(pipe(ends) == 0);
    std::thread other([] {
        std::vector<char> letters(100000, 'x');
        assert(write(ends[1], letters.data(), letters.size()) == 100000);
        close(ends[1]);
    });
    ssize_t total = 0, part;
    while ((part = read(ends[0], buffer, sizeof buffer)) > 0)
        total += part;
    assert(total == 100000);
    other.join();
}

void polled()
{
    std::uint64_t number = 3;
    int event = eventfd(0, 0), set = epoll_create1(0);
    epoll_event wanted = {}, found = {};
    wanted.events = EPOLLIN;
    wanted.data.fd = event;
    assert(epoll_ctl(set, EPOLL_CTL_ADD, event, &wanted) == 0);
    std::thread other([&] { assert(write(event, &number, 8) == 8); });
    assert(epoll_wait(set, &found, 1, -1) == 1 && found.data.fd == event);
    pollfd asked = {event, POLLIN, 0};
    assert(poll(&asked, 1, -1) == 1);
    std::uint64_t received = 0;
    assert(read(event, &received, 8) == 8 && received == 3);
    assert(poll(&asked, 1, 1000000) == 0); // the time is not that of the clock
    other.join();
}

void connected()
{
    sockaddr_in address = {};
    socklen_t length = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listening, reinterpret_cast<sockaddr *>(&address), length) == 0 && listen(listening, 5) == 0);
    assert(getsockname(listening, reinterpret_cast<sockaddr *>(&address), &length) == 0);
    std::thread other([&] {
        int client = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(client, reinterpret_cast<sockaddr *>(&address), length) == 0);
        assert(send(client, "hello", 5, 0) == 5);
    });
    char text[5];
    assert(recv(accept(listening, nullptr, nullptr), text, 5, MSG_WAITALL) == 5);
    other.join();
}

void forked()
{
    assert(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        assert(write(ends[1], "z", 1) == 1);
        _exit(7);
    }
    char letter;
    int status;
    assert(read(ends[0], &letter, 1) == 1 && letter == 'z');
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
}

void unwritten()
{
    char letter;
    assert(pipe(ends) == 0);
    std::thread other([&] { static_cast<void>(read(ends[0], &letter, 1)); });
    other.join();
}

// ---- signals ----

void blocked()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    set_handler(handle);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    raise(SIGUSR1);
    assert(handled == 0);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    assert(handled == 1);
}

void alarmed()
{
    set_handler(handle, SIGALRM);
    alarm(5);
    pause();
    assert(handled == 1);
}

void awaited()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::thread other([&] {
        int number = 0;
        assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
    });
    kill(getpid(), SIGUSR1);
    other.join();
}

/* What waits ends with EINTR when a handler has run. */
void interrupted()
{
    static sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    set_handler(handle);
    pthread_t self = pthread_self();
    std::thread other([self] {
        pthread_kill(self, SIGUSR1);
        sleep(1); // it is handled by now
        sem_post(&semaphore);
    });
    int result = sem_wait(&semaphore);
    assert(result == 0 || (errno == EINTR && handled == 1));
    other.join();
}

void woken()
{
    set_handler(handle);
    pthread_t self = pthread_self();
    std::thread other([self] { pthread_kill(self, SIGUSR1); });
    timespec time = {100, 0}, left = {0, 0};
    if (nanosleep(&time, &left) != 0)
        assert(errno == EINTR && handled == 1 && left.tv_sec > 0);
    other.join();
}

/* The handler takes a lock that its thread may have. */
void relocked()
{
    set_handler(handle_locking);
    std::thread other([] {
        for (int n = 0; n < 2; n++) {
            std::lock_guard lock(mutex);
            handled++;
        }
    });
    pthread_kill(other.native_handle(), SIGUSR1);
    other.join();
}

/* The signal may come between looking and waiting. */
void paused()
{
    set_handler(handle);
    pthread_t self = pthread_self();
    std::thread other([self] { pthread_kill(self, SIGUSR1); });
    if (handled == 0)
        pause();
    other.join();
}

// ---- FILEs ----

/* Threads that talk through FILEs on a pipe. */
void lines()
{
    assert(pipe(ends) == 0);
    std::FILE *in = fdopen(ends[0], "r");
    std::thread other([] {
        assert(write(ends[1], "one\ntwo\n", 8) == 8);
        close(ends[1]);
    });
    char line[10];
    assert(std::fgets(line, sizeof line, in) == line && std::strcmp(line, "one\n") == 0);
    assert(std::fgets(line, sizeof line, in) == line && std::strcmp(line, "two\n") == 0);
    assert(std::fgets(line, sizeof line, in) == nullptr);
    other.join();
}

} // namespace

int main(int count, char **words)
{
    static const mode modes[] = {
        MODE(notified),    MODE(unnotified), MODE(missed),    MODE(piped),   MODE(full),    MODE(polled),
        MODE(connected),   MODE(forked),     MODE(unwritten), MODE(blocked), MODE(alarmed), MODE(awaited),
        MODE(interrupted), MODE(woken),      MODE(relocked),  MODE(paused),  MODE(lines),   {nullptr, nullptr},
    };
    return run(modes, count, words);
}

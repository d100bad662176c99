/* A detached thread says that it is done when it does not use its job any more. */
#include <cassert>
#include <memory>
#include <semaphore>
#include <thread>

struct Job {
    int input = 6, output = 0;
    bool left = false;
};

static std::binary_semaphore done{0};

static void work(Job *job)
{
    job->output = job->input * 7;
    job->left = true;
    done.release();
}

int main()
{
    auto job = std::make_unique<Job>();
    std::thread(work, job.get()).detach();
    done.acquire();
    assert(job->output == 42);
}

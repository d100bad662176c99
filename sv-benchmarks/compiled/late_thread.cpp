/*
 * A detached thread says that it is done, and uses its job once more.
 *
 *   worker: releases the semaphore | main: frees the job | worker: writes to it
 */
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
    done.release();
    job->left = true; // USE AFTER FREE
}

int main()
{
    auto job = std::make_unique<Job>();
    std::thread(work, job.get()).detach();
    done.acquire();
    assert(job->output == 42);
}

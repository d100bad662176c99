/* the addresses of library functions: free, pthread_mutex_lock, printf, strlen
 * --rounds 2 --unwind 2 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../program.h"

struct operations {
    int (*acquire)(pthread_mutex_t *);
    int (*release)(pthread_mutex_t *);
    size_t (*length)(const char *);
    void (*drop)(void *);
    int (*say)(const char *, ...);
};

int nothing(pthread_mutex_t *mutex)
{
    return 0;
}

struct operations table = {
    .acquire = pthread_mutex_lock, .release = &pthread_mutex_unlock, .length = strlen, .drop = free, .say = printf,
};
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *work(void *arg)
{
    table.acquire(&lock);
    int seen = count;
    table.say("%d\n", seen);
    count = seen + 1;
    table.release(&lock);
    return NULL;
}

int main(void)
{
    char *memory = malloc(2);
    BUGGY(table.acquire = table.release = nothing;)
    TWO_THREADS(work, work);
    assert(table.length("ab") == 2);
    table.drop(memory);
    assert(count == 2); // FAIL
    return 0;
}

/* memcpy, memset
 * --rounds 2 --unwind 3 */
#include <string.h>
#include "../program.h"

struct { int a, b; } shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg)
{
    int copy[2];
    pthread_mutex_lock(&lock);
    memcpy(copy, &shared, sizeof copy);
    BUGGY(pthread_mutex_unlock(&lock);)
    BUGGY(pthread_mutex_lock(&lock);)
    copy[0]++;
    memcpy(&shared, copy, sizeof copy);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    memset(&shared, 0, sizeof shared);
    TWO_THREADS(add, add);
    assert(shared.a == 2); // FAIL
    return 0;
}

/* memcpy, memset
 * --rounds 2 --unwind 3
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct { int a, b; } shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg)
{
    int copy[2];
    pthread_mutex_lock(&lock);
    memcpy(copy, &shared, sizeof copy);
#ifdef BUG
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    copy[0]++;
    memcpy(&shared, copy, sizeof copy);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    memset(&shared, 0, sizeof shared);
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(shared.a == 2); // FAIL
    return 0;
}

/* functions called through pointers of other types
 * --rounds 2 --unwind 2 */
#include <stdlib.h>
#include "../program.h"

struct item { int value; };
typedef void (*action)(void *);

int total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void locked(struct item *item)
{
    pthread_mutex_lock(&lock);
    total += item->value;
    pthread_mutex_unlock(&lock);
}

void unlocked(struct item *item)
{
    total += item->value;
}

action act = (action)TWINS(unlocked, locked);

void *work(void *arg)
{
    act(arg);
    return NULL;
}

int main(void)
{
    struct item one = {1}, two = {2};
    pthread_t t, u;
    pthread_create(&t, NULL, work, &one);
    pthread_create(&u, NULL, work, &two);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(total == 3); // FAIL
    return 0;
}

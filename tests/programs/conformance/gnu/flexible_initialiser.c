/* initialisers of flexible array members
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include "../twins.h"

struct table { unsigned size; int entries[]; };
struct text { unsigned short length; char data[]; };

static struct table primes = {3, {2, 3, 5}};
static struct text greeting = {.length = 2, .data = "hi"}, none = {0};
static struct table *known = &primes;

void *work(void *arg)
{
    static struct table own = {1, {[1] = 4}};
    own.entries[1]++;
    (&primes)->entries[2] += own.entries[1];
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    REPAIRED(pthread_join(thread, NULL);)
    known->entries[2]++;
    BUGGY(pthread_join(thread, NULL);)
    assert(greeting.data[1] == 'i' && greeting.data[2] == 0 && sizeof primes == sizeof(unsigned) && none.length == 0);
    assert(known->size == 3 && primes.entries[2] == 11); // FAIL
    return 0;
}

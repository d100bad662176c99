/* tss_create, tss_get, tss_set, tss_delete
 * --rounds 2 --unwind 1 */
#include <assert.h>
#include <threads.h>
#include "../twins.h"

tss_t key;
int ended;

void destroy(void *value)
{
    ended++;
}

int work(void *arg)
{
    tss_set(key, arg);
    return tss_get(key) == arg;
}

int main(void)
{
    thrd_t t;
    int a, equal;
    tss_create(&key, destroy);
    thrd_create(&t, work, &a);
    REPAIRED(thrd_join(t, &equal);)
    REPAIRED(assert(equal && tss_get(key) == 0);)
    assert(ended == 1); // FAIL
    tss_delete(key);
    return 0;
}

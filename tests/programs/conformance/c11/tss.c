/* tss_create, tss_get, tss_set, tss_delete
 * --rounds 2 --unwind 1
 */
#include <assert.h>
#include <threads.h>

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
#ifndef BUG
    thrd_join(t, &equal);
    assert(equal && tss_get(key) == 0);
#endif
    assert(ended == 1); // FAIL
    tss_delete(key);
    return 0;
}

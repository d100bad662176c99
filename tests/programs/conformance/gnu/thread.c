/* __thread
 * --rounds 2 --unwind 2 */
#include "../program.h"

#ifdef BUG
#define OWN
#else
#define OWN __thread
#endif

OWN int a = 1;
static OWN int *p;

void *work(void *arg)
{
    a++;
    assert(p != &a); // FAIL
    p = &a;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    p = &a;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(*p == 1);
    return 0;
}

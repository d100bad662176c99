/* pthread_create with start functions of other types
 * --rounds 2 --unwind 1 */
#include "../program.h"

int x;

void nothing(void)
{
    x++;
}

int number(int n)
{
    return n + 1;
}

void *unspecified()
{
    x++;
    return &x;
}

void text(char *s)
{
    s[0]++;
}

int main(void)
{
    pthread_t t[4];
    char s[2] = "a";
    void *r[2];
#ifdef BUG
    pthread_create(&t[0], 0, (void *(*)(void *)) nothing, 0);
    pthread_create(&t[1], 0, unspecified, &x);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
#else
    pthread_create(&t[0], 0, (void *(*)(void *)) nothing, 0);
    pthread_join(t[0], 0);
    pthread_create(&t[1], 0, unspecified, &x);
    pthread_join(t[1], &r[0]);
    assert(r[0] == &x);
#endif
    assert(x == 2); // FAIL
    pthread_create(&t[2], 0, (void *(*)(void *)) number, (void *) 41);
    pthread_join(t[2], &r[1]);
    assert((int) (long) r[1] == 42);
    pthread_create(&t[3], 0, (void *(*)(void *)) text, s);
    pthread_join(t[3], 0);
    assert(s[0] == 'b');
    return 0;
}

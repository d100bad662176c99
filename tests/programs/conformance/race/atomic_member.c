/* an atomic member of a struct, through pointers
 * --race --rounds 6
 */
#include <pthread.h>

struct node {
#ifdef BUG
    int count;
#else
    _Atomic int count;
#endif
} node, *p = &node;

void *one(void *arg)
{
    struct node *q = p;
    q->count++; // RACE
    return 0;
}

void *two(void *arg)
{
    struct node *q = p;
    if (q->count > 3) // RACE
        q->count = 0; // RACE
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

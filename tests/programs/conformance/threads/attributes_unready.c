/* pthread_create with attributes that are not initialised
 * --rounds 2 --unwind 1
 */
#include <pthread.h>

pthread_attr_t a;

void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
#ifndef BUG
    pthread_attr_init(&a);
#endif
    pthread_create(&t, &a, work, 0); // FAIL
    pthread_join(t, 0);
    return 0;
}

/* pthread_detach: detached threads, and a main that ends with pthread_exit
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_t *first = arg, *second = first == &a ? &b : &a;
    pthread_detach(pthread_self());
    pthread_mutex_lock(first);
    pthread_mutex_lock(second); // DEADLOCK
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, &a);
    TWINS(pthread_create(&t, 0, worker, &b), pthread_create(&t, 0, worker, &a));
    pthread_exit(0);
}

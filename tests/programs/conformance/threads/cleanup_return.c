/* return between pthread_cleanup_push and pthread_cleanup_pop
 * --rounds 2 --unwind 1 */
#include <pthread.h>

int n;

void note(void *what)
{
    n++;
}

void *work(void *arg)
{
    pthread_cleanup_push(note, 0);
#ifdef BUG
    if (arg)
        return arg; // FAIL
#endif
    pthread_cleanup_pop(1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, &t);
    pthread_join(t, 0);
    return 0;
}

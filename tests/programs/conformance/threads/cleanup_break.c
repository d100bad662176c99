/* break between pthread_cleanup_push and pthread_cleanup_pop
 * --rounds 1 --unwind 2
 */
#include <assert.h>
#include <pthread.h>

int n;

void note(void *what)
{
    n++;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_cleanup_push(note, 0);
        for (;;) {
            if (n == i)
                break;
        }
#ifdef BUG
        if (i == 1)
            break; // FAIL
#else
        if (i == 1)
            n++;
#endif
        pthread_cleanup_pop(1);
    }
    assert(n == 3);
    return 0;
}

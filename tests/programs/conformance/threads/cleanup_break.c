/* break between pthread_cleanup_push and pthread_cleanup_pop
 * --rounds 1 --unwind 2 */
#include "../program.h"

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
        if (i == 1)
            TWINS(break, n++); // FAIL
        pthread_cleanup_pop(1);
    }
    assert(n == 3);
    return 0;
}

/* a local of a loop that has been left by `break`
 * --memsafety --rounds 1 --unwind 3 */
#include "../program.h"

int table[3] = { 1, 2, 3 };

void *search(void *arg)
{
    int *found = table;
    for (int i = 0; i < 3; i++) {
        int copy = table[i];
        int *here = &copy;
        if (*here == 2) {
            TWINS(found = here, found = &table[i]);
            break;
        }
    }
    *found = 4; // FAIL
    return NULL;
}

int main(void)
{
    START(thread, search);
    pthread_join(thread, NULL);
    return 0;
}

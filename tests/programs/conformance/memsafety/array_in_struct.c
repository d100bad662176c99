/* an index beyond an array in a struct, but not beyond the struct
 * --memsafety --rounds 1 */
#include <stdlib.h>
#include "../program.h"

struct record { char name[4]; int age; };

struct record *shared;

void *rename_it(void *arg)
{
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length TWINS(>, >=) 4)
        return NULL;
    shared->name[length] = 'x'; // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    shared = malloc(sizeof *shared);
    pthread_create(&thread, NULL, rename_it, NULL);
    pthread_join(thread, NULL);
    free(shared);
    return 0;
}

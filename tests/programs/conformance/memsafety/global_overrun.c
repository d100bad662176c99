/* a pointer that runs beyond the end of an array
 * --memsafety --rounds 1 --unwind 4 */
#include "../program.h"

int numbers[3], behind[3];

void *sum(void *arg)
{
    int *at = arg, sum = 0;
    for (int i = 0; i TWINS(<=, <) 3; i++)
        sum += *at++; // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, sum, numbers);
    pthread_join(thread, NULL);
    return behind[0];
}

/* elements of an array of variable length
 * --race --rounds 5 */
#include "../program.h"

int size = 3;

void *one(void *arg)
{
    ((int *)arg)[1] = 1; // RACE
    return 0;
}

int main(void)
{
    pthread_t t;
    int a[size];
    a[0] = a[1] = a[2] = 0;
    pthread_create(&t, 0, one, a);
    TWINS(a[1] = 2, a[2] = 2); // RACE
    pthread_join(t, 0);
    return a[0];
}

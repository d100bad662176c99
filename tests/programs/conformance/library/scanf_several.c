/* `scanf` with several conversions and text between them
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int width, height = 1;

void *input(void *arg)
{
    scanf("%d x %d\n", &width, &height);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, input, NULL);
#ifndef BUG
    pthread_join(t, NULL);
    height = 1;
#endif
    int before = height;
    assert(before == height); // FAIL
    return 0;
}

/* scanf, sscanf, fscanf
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int value;

void *input(void *arg)
{
    scanf("%d", &value);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, input, NULL);
    int before = value;
#ifndef BUG
    pthread_join(thread, NULL);
    before = value;
#endif
    assert(before == value); // FAIL
    return 0;
}

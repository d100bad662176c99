/* a negative index
 * --memsafety --rounds 2 */
#include "../program.h"

int stack[3];
int top = 1;

void *pop(void *arg)
{
    top--;
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, pop, NULL);
    BUGGY(pthread_create(&other, NULL, pop, NULL);)
    BUGGY(pthread_join(other, NULL);)
    pthread_join(one, NULL);
    stack[top] = 5; // FAIL
    return 0;
}

/* `_Atomic`: the value of an increment or compound assignment is that of the step
 * --rounds 2 */
#include "../program.h"

_Atomic(unsigned char) count = 255;
unsigned char seen[2];

void *thread(void *arg)
{
    BUGGY(count++;)
    BUGGY(unsigned char mine = count;)
    REPAIRED(unsigned char mine = ++count;)
    seen[(long)arg] = mine;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)0);
    pthread_create(&b, NULL, thread, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen[0] != seen[1]); // FAIL
    assert(seen[0] + seen[1] == 1 && count == 1);
    return 0;
}

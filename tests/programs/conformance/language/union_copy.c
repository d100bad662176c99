/* the assignment of a union: one access for up to 8 bytes, else one per scalar
 * --rounds 2 */
#include "../program.h"

union small {
    int word;
    char bytes[4];
} small;
union large {
    long words[2];
    char bytes[16];
} large;

void *thread(void *arg)
{
    union small s = {.word = 0x01010101};
    union large l = {.words = {0x0101, 0x0101}};
    small = s;
    large = l;
    return NULL;
}

int main(void)
{
    START(a, thread);
    union small s = small;
    assert(s.bytes[0] == s.bytes[3]);
    __VERIFIER_atomic_begin();
    union large l = large;
    __VERIFIER_atomic_end();
    TWINS(assert(l.bytes[1] == l.bytes[9]), assert(l.bytes[1] == l.bytes[0] && l.bytes[8] == l.bytes[9])); // FAIL
    pthread_join(a, NULL);
    return 0;
}

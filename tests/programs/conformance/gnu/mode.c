/* `__attribute__((mode))`
 * --rounds 2 --unwind 1 */
#include "../program.h"

typedef unsigned int byte __attribute__((__mode__(__QI__)));
typedef int wide __attribute__((mode(DI)));

byte count = 255;
wide total;

void *thread(void *argument)
{
    count++;
    total += 0x100000000;
    return 0;
}

int main(void)
{
    pthread_t id;
    assert(sizeof(byte) == 1 && sizeof(wide) == 8);
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    assert(total == 0x100000000);
    TWINS(assert(count == 256), assert(count == 0)); // FAIL
    return 0;
}

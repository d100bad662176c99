/* a pointer that is NULL until another thread has set it
 * --memsafety --rounds 2 */
#include "../program.h"

struct settings { int level; } defaults = { 3 };
struct settings *settings;

void *load(void *arg)
{
    settings = &defaults;
    return NULL;
}

int main(void)
{
    START(thread, load);
    REPAIRED(pthread_join(thread, NULL);)
    return settings->level; // FAIL
}

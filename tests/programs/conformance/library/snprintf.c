/* snprintf, sprintf
 * --rounds 2 */
#include <stdio.h>
#include <string.h>
#include "../program.h"

char line[12];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *report(void *arg)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    snprintf(line, sizeof line, "%d", -12);
    BUGGY(assert(strcmp(line, "-12") == 0);) // FAIL
    REPAIRED(assert(strcmp(line, "-12") == 0);)
    REPAIRED(pthread_mutex_unlock(&lock);)
    return NULL;
}

int main(void)
{
    START(thread, report);
    pthread_mutex_lock(&lock);
    sprintf(line, "%s", "ok");
    pthread_mutex_unlock(&lock);
    return 0;
}

/* strcpy, strcat, strcmp, strlen
 * --rounds 2 --unwind 2 */
#include <string.h>
#include "../program.h"

char name[8];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *rename(void *arg)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    strcpy(name, "a");
    strcat(name, "b");
    REPAIRED(pthread_mutex_unlock(&lock);)
    return NULL;
}

int main(void)
{
    pthread_t thread;
    strcpy(name, "xy");
    pthread_create(&thread, NULL, rename, NULL);
    pthread_mutex_lock(&lock);
    assert(strlen(name) == 2 && strcmp(name, "a") != 0); // FAIL
    pthread_mutex_unlock(&lock);
    return 0;
}

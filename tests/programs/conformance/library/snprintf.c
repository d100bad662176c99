/* snprintf, sprintf
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

char line[12];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *report(void *arg)
{
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    snprintf(line, sizeof line, "%d", -12);
#ifndef BUG
    assert(strcmp(line, "-12") == 0);
    pthread_mutex_unlock(&lock);
#else
    assert(strcmp(line, "-12") == 0); // FAIL
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, report, NULL);
    pthread_mutex_lock(&lock);
    sprintf(line, "%s", "ok");
    pthread_mutex_unlock(&lock);
    return 0;
}

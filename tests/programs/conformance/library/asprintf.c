/* asprintf
 * --rounds 2
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "../twins.h"

char label[3] = "ab";
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *relabel(void *arg)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    label[0] = 'c';
    label[1] = 'd';
    REPAIRED(pthread_mutex_unlock(&lock);)
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char *text = NULL;
    pthread_create(&thread, NULL, relabel, NULL);
    pthread_mutex_lock(&lock);
    int length = asprintf(&text, "%s-%d", label, 7);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(length == 4 && text[3] == '7' && text[4] == 0);
    assert((text[0] == 'a') == (text[1] == 'b')); // FAIL
    free(text);
    return 0;
}

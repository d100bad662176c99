/*
 * A message is copied into a shared buffer, and read from there.
 *
 * A lock makes copying one step.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

char buffer[8] = "no";
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    strcpy(buffer, "yes");
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1;
    char seen[8];

    pthread_create(&t1, NULL, writer, NULL);
    pthread_mutex_lock(&lock);
    strcpy(seen, buffer);
    pthread_mutex_unlock(&lock);
    assert(!strcmp(seen, "no") || !strcmp(seen, "yes"));
    pthread_join(t1, NULL);
    return 0;
}

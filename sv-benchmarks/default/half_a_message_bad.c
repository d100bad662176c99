/*
 * A message is copied into a shared buffer, and read from there.
 *
 * The reader may come when half of the message is there.
 *
 *   main: "no" is in the buffer | t1: copies the "y" of "yes"
 *   | main: reads "yo"
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

char buffer[8] = "no";

void *writer(void *arg)
{
    (void)arg;
    strcpy(buffer, "yes");
    return NULL;
}

int main(void)
{
    pthread_t t1;
    char seen[8];

    pthread_create(&t1, NULL, writer, NULL);
    strcpy(seen, buffer);
    assert(!strcmp(seen, "no") || !strcmp(seen, "yes")); // FAIL
    pthread_join(t1, NULL);
    return 0;
}

/* `memcpy` of more than there is
 * --memsafety --rounds 1
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char *packet;
unsigned long length = 6;

void *receive(void *arg)
{
    char data[8] = "abcdefg";
#ifndef BUG
    if (length > 4)
        length = 4;
#endif
    memcpy(packet, data, length); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    packet = malloc(4);
    pthread_create(&thread, NULL, receive, NULL);
    pthread_join(thread, NULL);
    free(packet);
    return 0;
}

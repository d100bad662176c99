/* `memcpy` of more than there is
 * --memsafety --rounds 1 */
#include <stdlib.h>
#include <string.h>
#include "../program.h"

char *packet;
unsigned long length = 6;

void *receive(void *arg)
{
    char data[8] = "abcdefg";
    REPAIRED(if (length > 4) length = 4;)
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

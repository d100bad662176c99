/* `strlen` of what does not end
 * --memsafety --rounds 1 */
#include <string.h>
#include "../program.h"

char text[4];

void *measure(void *arg)
{
    unsigned long length = strlen(text); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    text[0] = text[1] = text[2] = 'a';
    BUGGY(text[3] = 'a';)
    pthread_create(&thread, NULL, measure, NULL);
    pthread_join(thread, NULL);
    return 0;
}

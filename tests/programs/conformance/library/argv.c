/* the arguments of main
 * --rounds 2 --unwind 2 --args-any */
#include <stdlib.h>
#include <string.h>
#include "../program.h"

int threads = 1;

void *work(void *arg)
{
    threads = atoi(arg);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    assert(argc >= 1 && argv[argc] == NULL);
    if (argc < 2 || strcmp(argv[1], "7") != 0)
        return 1;
    pthread_create(&thread, NULL, work, argv[1]);
    REPAIRED(pthread_join(thread, NULL);)
    assert(threads == 7); // FAIL
    return 0;
}

/* write to a pipe without a reader: SIGPIPE ends the process
 * --rounds 2 --unwind 2
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    pipe(ends);
#ifndef BUG
    close(ends[0]);
#endif
    write(ends[1], "x", 1);
    assert(0); // FAIL
    return 0;
}

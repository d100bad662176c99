/* write to a pipe without a reader: SIGPIPE ends the process
 * --rounds 2 --unwind 2 */
#include <unistd.h>
#include "../program.h"

int main(void)
{
    int ends[2];
    pipe(ends);
    REPAIRED(close(ends[0]);)
    write(ends[1], "x", 1);
    assert(0); // FAIL
    return 0;
}

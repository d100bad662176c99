/* syscall with other numbers than those of futexes and identifiers
 * --rounds 1 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    return syscall(SYS_sync); // REFUSED: `syscall` with this number is not supported
}

/* flock, lockf, and the locks of fcntl
 * --rounds 1 */
#include <sys/file.h>

int main(void)
{
    return flock(1, LOCK_EX); // REFUSED: it may wait for a lock on a file
}

/* dup and dup2 in a program that has pipes
 * --rounds 1 */
#include <unistd.h>

int main(void)
{
    int ends[2];
    pipe(ends);
    return dup(ends[0]); // REFUSED: `dup` is not supported in a program that has pipes
}

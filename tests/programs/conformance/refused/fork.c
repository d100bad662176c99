/* fork
 * --rounds 1 */
#include <unistd.h>

int fork(void);

int main(void)
{
    return fork(); // REFUSED: processes are not supported
}

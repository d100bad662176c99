/* pthread_once: there is no object that says whether it is done
 * --rounds 1 */
#include "../program.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_once_t *done;

void initialise(void)
{
}

int main(void)
{
    REPAIRED(done = &once;)
    pthread_once(done, initialise); // FAIL
    return 0;
}

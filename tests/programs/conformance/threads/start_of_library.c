/* A function of the library as the start function of a thread
 * --rounds 1 */
#include "../program.h"

int main(void)
{
    pthread_t t;
    int given = 1;
    void *result = NULL;
    pthread_create(&t, 0, (void *(*)(void *)) pthread_exit, &given);
    pthread_join(t, &result);
    TWINS(assert(result == NULL), assert(result == &given)); // FAIL
    return 0;
}

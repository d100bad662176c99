/* an object that is not defined */
#include <assert.h>

extern int verbose; // REFUSED: the object `verbose`, which is not defined, is not supported

int main(void)
{
    assert(verbose == 0);
    return 0;
}

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (p == NULL)
        return 0;
    *p = 1;
    free(p);
    assert(*p == 1);
    return 0;
}

#include "stock.h"

#include <assert.h>

int main(void)
{
    take();
    take();
    assert(left() == 0);
    return 0;
}

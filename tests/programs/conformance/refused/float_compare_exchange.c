/* a compare-exchange of a floating type
 * --rounds 1 */
#include <stdatomic.h>

_Atomic double number;

int main(void)
{
    double seen = 0;
    return atomic_compare_exchange_strong(&number, &seen, 1); // REFUSED: a compare-exchange of a floating type
}

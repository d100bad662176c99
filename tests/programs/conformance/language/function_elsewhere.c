/* The address of a function that no file defines and nothing calls
 * --rounds 1 --unwind 1 */
#include <assert.h>
#include "../twins.h"

extern int elsewhere(int, char *);
extern void nowhere(void);

struct table {
    int (*first)(int, char *);
    void (*second)(void);
} table = { elsewhere, nowhere };

int main(void)
{
    assert(table.first == elsewhere);
    BUGGY(table.second = 0;)
    assert(table.second); // FAIL
    return 0;
}

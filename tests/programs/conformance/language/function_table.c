/* arrays and structs of function pointers, returned function pointers
 * --rounds 2 --unwind 3 */
#include <stddef.h>
#include "../program.h"

enum kind { ADD, SUBTRACT };
typedef int (*operation)(int, enum kind);

int add(int n, enum kind kind)
{
    return n + 1;
}

int subtract(int n, enum kind kind)
{
    return n - 1;
}

operation table[3] = {add, subtract};
struct { operation chosen; } current;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

operation choose(enum kind kind)
{
    return kind == ADD ? table[0] : table[1];
}

void *change(void *arg)
{
    pthread_mutex_lock(&lock);
    table[0] = subtract;
    table[0] = add;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    START(thread, change);
    REPAIRED(pthread_mutex_lock(&lock);)
    current.chosen = choose(ADD);
    REPAIRED(pthread_mutex_unlock(&lock);)
    assert(table[2] == NULL && current.chosen != NULL);
    assert(current.chosen(1, ADD) == 2); // FAIL
    assert((*table[1])(1, SUBTRACT) == 0);
    return 0;
}

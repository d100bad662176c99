/* _Thread_local, static _Thread_local in functions
 * --rounds 2 --unwind 1 */
#include "../program.h"

#ifdef BUG
#define LOCAL
#else
#define LOCAL _Thread_local
#endif

extern LOCAL int error;
LOCAL int error = 3;
static LOCAL struct { int n; int row[2]; } mine = { 1, { 2, 3 } };

int next(void)
{
    static LOCAL int calls;
    return ++calls;
}

void *work(void *arg)
{
    error = 5;
    mine.row[1] += mine.n;
    next();
    assert(error == 5); // FAIL
    return 0;
}

int main(void)
{
    START(t, work);
    error = 7;
    mine.row[1]++;
    next();
    pthread_join(t, 0);
    REPAIRED(assert(error == 7 && mine.row[1] == 4 && next() == 2);)
    return 0;
}

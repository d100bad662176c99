/* assertions, assumptions, atomic sections and values of SV-COMP, CBMC and ESBMC
 * --rounds 2 */
#include "../program.h"

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __CPROVER_assert(_Bool condition, const char *description);
void __CPROVER_assume(_Bool condition);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void __ESBMC_assume(_Bool condition);
void __ESBMC_assert(_Bool condition, const char *description);
void __VERIFIER_nondet_memory(void *memory, unsigned long size);
unsigned char nondet_uchar(void);

int x;

void *add(void *arg)
{
    REPAIRED(__CPROVER_atomic_begin();)
    x = x + 1;
    REPAIRED(__CPROVER_atomic_end();)
    return 0;
}

int main(void)
{
    int memory[2] = {1, 2};
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 3);
    __CPROVER_assume(n < 9);
    __ESBMC_assume(n != 5);
    __ESBMC_assert(n == 4 || (n > 5 && n < 9), "within");
    __VERIFIER_nondet_memory(memory, sizeof memory);
    __CPROVER_assume(memory[1] == 7 && nondet_uchar() <= 255);
    TWO_THREADS(add, add);
    __CPROVER_assert(x == 2, "no update is lost"); // FAIL
    return 0;
}

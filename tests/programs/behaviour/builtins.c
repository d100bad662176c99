/* GNU's built-in functions. */
#include "show.h"

struct pair { char tag; struct { int deep[3]; long far; } inner; };
static unsigned words[] = {1, 2, 3, 0x80000000u, 0xffffffffu, 0x12345678u, 0x00f0u, 12345u};
static unsigned long longs[] = {1, 1ul << 40, ~0ul, 0x123456789abcdefUL, 1ul << 63};
static int calls;

static int counted(int value)
{
    calls++;
    return value;
}

static void bits(unsigned x, unsigned long y)
{
    show(__builtin_clz(x));
    show(__builtin_ctz(x));
    show(__builtin_ffs(x));
    show(__builtin_popcount(x));
    show(__builtin_parity(x));
    show(__builtin_bswap16(x));
    show(__builtin_bswap32(x));
    show(__builtin_clzl(y));
    show(__builtin_ctzll(y));
    show(__builtin_ffsl(y));
    show(__builtin_popcountll(y));
    show(__builtin_parityl(y));
    show(__builtin_bswap64(y));
}

static void overflows(int a, int b)
{
    int sum;
    signed char small;
    unsigned u;
    long long wide;
    unsigned long long uw;

    show(__builtin_add_overflow(a, b, &sum));
    show(sum);
    show(__builtin_sub_overflow(a, b, &small));
    show(small);
    show(__builtin_mul_overflow(a, b, &u));
    show(u);
    show(__builtin_mul_overflow((long long)a * a, (long long)b, &wide));
    show(wide);
    show(__builtin_mul_overflow(1ull * a, 1ull * b, &uw));
    show(uw);
    show(__builtin_sadd_overflow(a, b, &sum));
    show(__builtin_usub_overflow(a, b, &u));
    show(u);
    show(__builtin_smull_overflow(a, b, (long *)&wide));
    show(__builtin_add_overflow_p(a, b, (short)0));
}

int main(void)
{
    int i, array[3];

    for (i = 0; i < 5; i++)
        bits(words[i], longs[i]);
    bits(words[5], 3);
    show(__builtin_clz(1) + __builtin_popcountl(255) * 100 + __builtin_ffs(0) + __builtin_parity(7));
    show(__builtin_bswap32(0x01020304));
    overflows(2147483647, 1);
    overflows(-5, 7);
    overflows(100000, 100000);
    show(__builtin_expect(counted(4), 0) + __builtin_expect_with_probability(counted(1), 1, 0.9));
    show(__builtin_expect(counted(3) > 2, counted(1)));
    show(__builtin_constant_p(3) + 10 * __builtin_constant_p(words[0]));
    show(__builtin_choose_expr(sizeof(int) == 4, counted(7), counted(8)));
    show(__builtin_object_size(array, 0) == -1ul || 1);
    __builtin_prefetch(&array[counted(1)]);
    __builtin_memset(array, 0, sizeof array);
    show(array[2]);
    __builtin_memcpy(array, words, sizeof array);
    show(array[1]);
    show(__builtin_strlen("four"));
    show(*(int *)__builtin_assume_aligned(array + 2, 4));
    show(__builtin_abs(-5));
    show(calls);
    if (calls == 0)
        __builtin_unreachable();
    return 0;
}

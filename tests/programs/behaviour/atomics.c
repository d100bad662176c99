/* Atomic objects and built-ins: their values, for all widths; copies of structs, and bit-fields. */
#include <stdatomic.h>
#include <string.h>
#include "show.h"

signed char c = 100;
unsigned char uc = 250;
short s = -7;
unsigned short us = 65530;
int i = 0x7ffffff0;
unsigned u = 7;
long l = -9;
unsigned long long ull = 0x123456789abcdef0;
_Bool flag;
int array[4] = {1, 2, 3, 4};
int *p = array;

_Atomic signed char ac = 127;
_Atomic unsigned short aus = 65535;
atomic_int ai = 5;
_Atomic(long) al = 1;
_Atomic _Bool ab;
_Atomic double ad = 0.5;
int *_Atomic ap = array;
atomic_flag af = ATOMIC_FLAG_INIT;

struct part { short n; char text[2]; };
struct whole { struct part part; unsigned a : 3, b : 7; int *to; union { int m; char c[4]; } u; } one, two;
_Atomic struct part apart;
struct { unsigned a : 3; signed b : 4; unsigned c : 1; } bits = {1, -2, 1};

static struct whole changed(struct whole w)
{
    w.part.n++;
    return w;
}

static void show_whole(struct whole *w)
{
    show(w->part.n);
    show(w->part.text[1]);
    show(w->a * 1000 + w->b);
    show(w->to - array);
    show(w->u.c[1]);
}

static void builtins(void)
{
    show(__atomic_fetch_add(&c, 300, __ATOMIC_SEQ_CST));
    show(c);
    show(__atomic_add_fetch(&uc, 10, __ATOMIC_SEQ_CST));
    show(__atomic_sub_fetch(&us, -10, __ATOMIC_SEQ_CST));
    show(__atomic_fetch_nand(&s, 6, __ATOMIC_SEQ_CST));
    show(__atomic_nand_fetch(&s, 5, __ATOMIC_SEQ_CST));
    show(__atomic_or_fetch(&u, -1L, __ATOMIC_SEQ_CST));
    show(__atomic_xor_fetch(&l, 5u, __ATOMIC_SEQ_CST));
    show(__atomic_fetch_and(&ull, 0xffff, __ATOMIC_SEQ_CST));
    show(ull);
    int old = __atomic_exchange_n(&uc, 513, __ATOMIC_SEQ_CST);
    show(old + __atomic_load_n(&uc, __ATOMIC_SEQ_CST));
    __atomic_store_n(&flag, 5, __ATOMIC_SEQ_CST);
    show(flag);
    show(__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    show(flag);
    show(__atomic_fetch_add(&p, 8, __ATOMIC_SEQ_CST) - array);
    show(__atomic_sub_fetch(&p, sizeof(int), __ATOMIC_SEQ_CST) - array);
    show(__sync_fetch_and_add(&p, 4) - array);
    show(__sync_add_and_fetch(&array[p - array], 7, array));
    show(__sync_fetch_and_sub(&c, 200));
    show(__sync_sub_and_fetch(&c, 1));
    show(__sync_or_and_fetch(&us, 0x10001));
    show(__atomic_nand_fetch(&i, 0xff, __ATOMIC_SEQ_CST));
    show(__sync_val_compare_and_swap(&uc, 1, 300));
    show(__sync_bool_compare_and_swap(&uc, 44, 2));
    show(__sync_bool_compare_and_swap(&uc, 44, 3));
    show(__sync_lock_test_and_set(&l, 77));
    __sync_lock_release(&l);
    __sync_synchronize();
    show(l + uc);
}

static void generic(void)
{
    struct part part = {3, {1, 2}}, other = {4, {7, 9}}, old;
    int expected = 9, wanted = 10, found;
    long before = u;

    u = 9;
    show(__atomic_compare_exchange(&u, (unsigned *)&expected, (unsigned *)&wanted, 0, 5, 5));
    show(__atomic_compare_exchange_n(&u, (unsigned *)&expected, 11, 0, 5, 5));
    show(expected + u);
    __atomic_load(&i, &found, 5);
    show(found);
    __atomic_store(&one.part, &part, 5);
    __atomic_exchange(&one.part, &other, &old, 5);
    show(old.n * 10 + one.part.n);
    show(old.text[1] + one.part.text[0]);
    show(before);
    show(__atomic_always_lock_free(4, 0) + __atomic_is_lock_free(8, &ull));
}

static void objects(void)
{
    show(ac++);
    show(ac--);
    show(++aus);
    show(--aus);
    show(ai *= 7);
    show(ai /= 2);
    show(ai %= 10);
    show(ai <<= 3);
    show(ai >>= 1);
    show(ai |= 35);
    show(ai &= ~2);
    show(ai ^= 0xf);
    show(al += ai++);
    show(ab |= 4);
    show(ab++);
    ad = ad * 5;
    show(ad * 10);
    ap += 2;
    show(*ap--);
    show(*ap);
    show(ap++ - array);
    show(atomic_fetch_add(&ai, 3) + atomic_fetch_sub(&al, 2));
    show(atomic_fetch_or(&ai, 64));
    show(atomic_fetch_and(&ai, 15));
    show(atomic_fetch_xor(&ai, 1));
    show(atomic_load(&ai));
    show(atomic_exchange(&ai, 9));
    atomic_store(&ai, ai + 1);
    show(atomic_compare_exchange_strong(&ai, &array[0], 5));
    show(array[0]);
    show(atomic_compare_exchange_strong(&ai, &array[0], 6));
    show(atomic_flag_test_and_set(&af));
    show(atomic_flag_test_and_set(&af));
    atomic_flag_clear(&af);
    atomic_init(&ab, 3);
    show(atomic_flag_test_and_set(&af) + ab + kill_dependency(4));
}

static void copies(void)
{
    struct whole *there = &two, mine = {{8, {5, 6}}, 5, 99, array + 1, {0x01020304}};

    one = mine;
    *there = changed(one);
    show_whole(&two);
    one = two.part.n > 3 ? *there : mine;
    mine = one = changed(changed(one));
    show_whole(&mine);
    memcpy(&two.u, &one.u, sizeof two.u);
    memset(&one.u, 0, sizeof one.u);
    memmove(there, &one, sizeof *there);
    show_whole(there);
    apart = mine.part;
    mine.part = apart;
    show(mine.part.n + mine.part.text[0]);
    show(bits.a = 13);
    show(bits.b -= 9);
    show(bits.c++);
    show(--bits.a);
    show(bits.a * 100 + bits.b * 10 + bits.c);
}

int main(void)
{
    builtins();
    generic();
    objects();
    copies();
    return 0;
}

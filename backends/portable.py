"""The primitives in plain C, for engines that can do little more than choose, assume and assert.

A backend takes from here what it has nothing better for:
``Dialect(names=…, definitions={**portable.DEFINITIONS, "__CSEQ_nondet_": …})``. Each chosen value is one call of an
engine's function, of the type given in `KINDS`, so that the calls in an engine's trace are the inputs of the replay,
in order.
"""

_EACH = "for (unsigned long i = 0; i < size; i++)"

DEFINITIONS = {
    "__CSEQ_nondet_bits_": "static {type} {name}(void) { return __CSEQ_nondet_uint() & {mask}u; }",
    "__CSEQ_nondet_bool": "static _Bool __CSEQ_nondet_bool(void) { return __CSEQ_nondet_uchar() & 1; }",
    "__CSEQ_nondet_pointer": "static void *__CSEQ_nondet_pointer(void) { return (void *)__CSEQ_nondet_ulong(); }",
    "__CSEQ_nondet_float": (
        "static float __CSEQ_nondet_float(void) "
        "{ union { unsigned int bits; float value; } u; u.bits = __CSEQ_nondet_uint(); return u.value; }"
    ),
    "__CSEQ_nondet_double": (
        "static double __CSEQ_nondet_double(void) "
        "{ union { unsigned long long bits; double value; } u; u.bits = __CSEQ_nondet_ulonglong(); return u.value; }"
    ),
    "__CSEQ_unwound": "static void __CSEQ_unwound(int holds, const char *what) { __CSEQ_suppose(holds); }",
    "__CSEQ_havoc": (
        "static void __CSEQ_havoc(void *object, unsigned long size) "
        f"{{ {_EACH} ((unsigned char *)object)[i] = __CSEQ_nondet_uchar(); }}"
    ),
    "__CSEQ_fresh": "static void __CSEQ_fresh(void *block, unsigned long size) { __CSEQ_havoc(block, size); }",
    "__CSEQ_zero": (
        f"static void __CSEQ_zero(void *object, unsigned long size) {{ {_EACH} ((unsigned char *)object)[i] = 0; }}"
    ),
    "__CSEQ_allocate": "static void *__CSEQ_allocate(unsigned long size) { return __CSEQ_block(size); }",
    "__CSEQ_allocate_freeable": (
        "static void *__CSEQ_allocate_freeable(unsigned long size) { return __CSEQ_block(size); }"
    ),
    "__CSEQ_block": (
        "void *malloc(__SIZE_TYPE__); static void *__CSEQ_block(unsigned long size) "
        "{ void *block = malloc(size); __CSEQ_suppose(block != 0); return block; }"
    ),
    "__CSEQ_zeroed": (
        "static void *__CSEQ_zeroed(unsigned long size) "
        f"{{ unsigned char *block = __CSEQ_block(size); {_EACH} block[i] = 0; return block; }}"
    ),
    "__CSEQ_address": (
        "static unsigned long __CSEQ_address(const volatile void *byte) { return (unsigned long)byte; }"
    ),
    "__CSEQ_room": "static unsigned long __CSEQ_room(const void *object) { return __CSEQ_size(object); }",
    "__CSEQ_inside": (
        "static _Bool __CSEQ_inside(const volatile void *pointer, const void *block) "
        "{ return (unsigned long)pointer - (unsigned long)block < __CSEQ_size(block); }"
    ),
    "__CSEQ_again": "static void __CSEQ_again(void *block) { }",
    "__CSEQ_release": "static void __CSEQ_release(void *object) { }",
    "__CSEQ_copy": (
        "static void __CSEQ_copy(void *to, const void *from, unsigned long size) "
        f"{{ {_EACH} ((unsigned char *)to)[i] = ((const unsigned char *)from)[i]; }}"
    ),
    "__CSEQ_move": (
        "static void __CSEQ_move(void *to, const void *from, unsigned long size) "
        "{ unsigned char *t = to; const unsigned char *f = from; if (t < f) "
        f"{{ {_EACH} t[i] = f[i]; }} else {{ for (unsigned long i = size; i > 0; i--) t[i - 1] = f[i - 1]; }} }}"
    ),
    "__CSEQ_fill": (
        "static void __CSEQ_fill(void *object, int byte, unsigned long size) "
        f"{{ {_EACH} ((unsigned char *)object)[i] = (unsigned char)byte; }}"
    ),
}
"""What is left to a backend: the names of ``__CSEQ_assume`` and ``__CSEQ_assert``, a function ``__CSEQ_suppose(int)``
that assumes (in the prologue), and ``__CSEQ_nondet_``. Programs that need a missing primitive are refused.
"""

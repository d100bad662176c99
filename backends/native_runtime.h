/* What a replay needs to run: inputs, a trace on standard output (explorer/records.h), and the few library functions
 * that programs use. Inputs are 8-byte words on standard input. */

typedef unsigned long long __CSEQ_word;

#if defined(__x86_64__) || defined(__i386__)
#if defined(__x86_64__)
static long __CSEQ_system(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
enum { __CSEQ_READ = 0, __CSEQ_WRITE = 1, __CSEQ_EXIT = 60 };
#else
static long __CSEQ_system(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
enum { __CSEQ_READ = 3, __CSEQ_WRITE = 4, __CSEQ_EXIT = 1 };
#endif
static long __CSEQ_read(void *to, unsigned long size) { return __CSEQ_system(__CSEQ_READ, 0, (long)to, size); }
static void __CSEQ_write(const char *text, __SIZE_TYPE__ size) { __CSEQ_system(__CSEQ_WRITE, 1, (long)text, size); }
static void __CSEQ_quit(int status) { __CSEQ_system(__CSEQ_EXIT, status, 0, 0); }

int main(void);
static void __CSEQ_end(void);
__attribute__((force_align_arg_pointer)) void __CSEQ_begin(void)
{
    main();
    __CSEQ_end();
}

/* Under names of our own, so that they clash with no declaration of the program's. */
void *__CSEQ_memset(void *memory, int value, __SIZE_TYPE__ size) __asm__("memset");
void *__CSEQ_memcpy(void *to, const void *from, __SIZE_TYPE__ size) __asm__("memcpy");
void *__CSEQ_memmove(void *to, const void *from, __SIZE_TYPE__ size) __asm__("memmove");
void *__CSEQ_malloc(__SIZE_TYPE__ size) __asm__("malloc");
void *__CSEQ_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) __asm__("calloc");
void __CSEQ_free(void *memory) __asm__("free");
void *__CSEQ_memset(void *memory, int value, __SIZE_TYPE__ size)
{
    volatile unsigned char *to = memory;
    while (size--)
        *to++ = value;
    return memory;
}
void *__CSEQ_memcpy(void *to, const void *from, __SIZE_TYPE__ size)
{
    volatile unsigned char *t = to;
    const unsigned char *f = from;
    while (size--)
        *t++ = *f++;
    return to;
}
void *__CSEQ_memmove(void *to, const void *from, __SIZE_TYPE__ size)
{
    volatile unsigned char *t = to;
    const unsigned char *f = from;
    if (t < f)
        while (size--)
            *t++ = *f++;
    else
        while (size--)
            t[size] = f[size];
    return to;
}

#if defined(__i386__)
/* 64-bit division: the compiler leaves it to a library that a 64-bit system need not have for 32 bits. */
static __CSEQ_word __CSEQ_divide(__CSEQ_word n, __CSEQ_word d, __CSEQ_word *rest)
{
    __CSEQ_word quotient = 0, r = 0;
    for (int bit = 63; bit >= 0; bit--) {
        r = r << 1 | (n >> bit & 1);
        if (r >= d) {
            r -= d;
            quotient |= 1ULL << bit;
        }
    }
    *rest = r;
    return quotient;
}
__CSEQ_word __udivdi3(__CSEQ_word n, __CSEQ_word d)
{
    __CSEQ_word r;
    return __CSEQ_divide(n, d, &r);
}
__CSEQ_word __umoddi3(__CSEQ_word n, __CSEQ_word d)
{
    __CSEQ_word r;
    __CSEQ_divide(n, d, &r);
    return r;
}
long long __divdi3(long long n, long long d)
{
    __CSEQ_word r, q = __CSEQ_divide(n < 0 ? -(__CSEQ_word)n : n, d < 0 ? -(__CSEQ_word)d : d, &r);
    return (n < 0) != (d < 0) ? -q : q;
}
long long __moddi3(long long n, long long d)
{
    __CSEQ_word r;
    __CSEQ_divide(n < 0 ? -(__CSEQ_word)n : n, d < 0 ? -(__CSEQ_word)d : d, &r);
    return n < 0 ? -r : r;
}
#endif

static char __CSEQ_arena[1 << 24] __attribute__((aligned(4096)));
static unsigned long __CSEQ_used;
static unsigned long __CSEQ_alignment = 16; /* of the next block */
void *__CSEQ_malloc(__SIZE_TYPE__ size)
{
    unsigned long start = (__CSEQ_used + 15 + __CSEQ_alignment) & -__CSEQ_alignment; /* its size comes before it */
    __CSEQ_alignment = 16;
    if (start > sizeof __CSEQ_arena || size > sizeof __CSEQ_arena - start)
        return 0;
    *(unsigned long *)(__CSEQ_arena + start - 16) = size;
    __CSEQ_used = (start + size + 31) & ~15UL;
    return __CSEQ_arena + start;
}
static unsigned long __CSEQ_size(const void *block) { return *(unsigned long *)((char *)block - 16); }
void *__CSEQ_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) { return __CSEQ_malloc(count * size); }
void __CSEQ_free(void *memory) {}
#else
static unsigned long __CSEQ_alignment;
long read(int file, void *to, __SIZE_TYPE__ size);
long write(int file, const void *from, __SIZE_TYPE__ size);
void _exit(int status);
static long __CSEQ_read(void *to, unsigned long size) { return read(0, to, size); }
static void __CSEQ_write(const char *text, __SIZE_TYPE__ size) { write(1, text, size); }
static void __CSEQ_quit(int status) { _exit(status); }
void *__CSEQ_malloc(__SIZE_TYPE__ size) __asm__("malloc");
void *__CSEQ_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) __asm__("calloc");
__SIZE_TYPE__ malloc_usable_size(void *block);
#define __CSEQ_size(block) malloc_usable_size(block)
#endif
static void *__CSEQ_allocate(unsigned long size);
#define __CSEQ_zeroed(size) __CSEQ_calloc(1, size)
#define __CSEQ_allocate_freeable(size) __CSEQ_malloc(size)
#define __CSEQ_release(block) ((void)0)
#define __CSEQ_room(block) __CSEQ_size(block)
#define __CSEQ_inside(pointer, block) ((unsigned long)(pointer) - (unsigned long)(block) < __CSEQ_size(block))
#define __CSEQ_again(block) ((void)0)
#define __CSEQ_copy(to, from, size) __builtin_memcpy(to, from, size)
#define __CSEQ_move(to, from, size) __builtin_memmove(to, from, size)
#define __CSEQ_fill(object, byte, size) __builtin_memset(object, byte, size)

static char __CSEQ_line[1 << 16];
static unsigned long __CSEQ_filled;
static void __CSEQ_flush(void)
{
    __CSEQ_write(__CSEQ_line, __CSEQ_filled);
    __CSEQ_filled = 0;
}
static void __CSEQ_put(const char *text)
{
    while (*text) {
        if (__CSEQ_filled == sizeof __CSEQ_line)
            __CSEQ_flush();
        __CSEQ_line[__CSEQ_filled++] = *text++;
    }
}
static void __CSEQ_put_word(__CSEQ_word value)
{
    char digits[17];
    int at = 16;
    digits[16] = 0;
    do {
        digits[--at] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value);
    __CSEQ_put(digits + at);
}
static void __CSEQ_record(const char *word, __CSEQ_word number)
{
    __CSEQ_put(word);
    __CSEQ_put(" ");
    __CSEQ_put_word(number);
    __CSEQ_put("\n");
}
static void __CSEQ_end(void)
{
    __CSEQ_put(__CSEQ_RECORD_ENDED "\n");
    __CSEQ_flush();
    __CSEQ_quit(0);
}

static __CSEQ_word __CSEQ_taken; /* the last input */
#ifdef __CSEQ_GIVEN
/* Values that are given by place; the place is set before each call. */
static unsigned int __CSEQ_place;
static struct {
    unsigned int place;
    _Bool taken;
    __CSEQ_word value;
} __CSEQ_given[] = {__CSEQ_GIVEN};
static __CSEQ_word __CSEQ_take(void)
{
    for (unsigned long i = 0; i < sizeof __CSEQ_given / sizeof *__CSEQ_given; i++)
        if (__CSEQ_given[i].place == __CSEQ_place && !__CSEQ_given[i].taken) {
            __CSEQ_given[i].taken = 1;
            return __CSEQ_taken = __CSEQ_given[i].value;
        }
    __CSEQ_record(__CSEQ_RECORD_MISSING, __CSEQ_place);
    return __CSEQ_taken = 0;
}
#else
static __CSEQ_word __CSEQ_take(void)
{
    __CSEQ_word value = 0;
    unsigned char *to = (unsigned char *)&value;
    for (int i = 0; i < 8; i++)
        if (__CSEQ_read(to + i, 1) != 1)
            return __CSEQ_taken = 0;
    return __CSEQ_taken = value;
}
#endif
static void *__CSEQ_object; /* whose state the trace shows */
/* The trace is flushed at each statement, because it may be the next one that crashes. */
static int __CSEQ_point = -1;
static void __CSEQ_at(int number)
{
    __CSEQ_point = number;
    __CSEQ_record(__CSEQ_RECORD_AT, number);
    __CSEQ_flush();
}
static void __CSEQ_show(int number, __CSEQ_word value)
{
    __CSEQ_put(__CSEQ_RECORD_VALUE " ");
    __CSEQ_put_word(number);
    __CSEQ_record("", value);
}
static __CSEQ_word __CSEQ_bits_of(double value)
{
    union {
        double value;
        __CSEQ_word bits;
    } u = {value};
    return u.bits;
}
#define __CSEQ_assume(holds) \
    ({ \
        if (!(holds)) { \
            __CSEQ_put(__CSEQ_RECORD_DROPPED "\n"); \
            __CSEQ_flush(); \
            __CSEQ_quit(3); \
        } \
    })
#define __CSEQ_assert(holds, what) \
    ({ \
        if (!(holds)) { \
            __CSEQ_put(__CSEQ_RECORD_FAILED " " what "\n"); \
            __CSEQ_flush(); \
            __CSEQ_quit(1); \
        } \
    })
#define __CSEQ_unwound(holds, what) __CSEQ_assume(holds)
#define __CSEQ_zero(object, size) memset(object, 0, size)
#ifndef __CSEQ_HAVOC_PLACE
#define __CSEQ_HAVOC_PLACE (void)0
#endif
#define __CSEQ_havoc(object, size) \
    for (unsigned long __CSEQ_i = (__CSEQ_HAVOC_PLACE, 0); __CSEQ_i < (size); __CSEQ_i++) \
    ((unsigned char *)(object))[__CSEQ_i] = __CSEQ_take()
#define __CSEQ_fresh(block, size) __CSEQ_havoc(block, size)

/* What is known of objects, for claims about memory: blocks, and the user's objects that the program announces. The
 * claim number __CSEQ_WANTED is the one that the engine reports as violated. Where nothing is known here of the memory
 * that the claim is about, the engine is believed. */
#ifndef __CSEQ_WANTED
#define __CSEQ_WANTED -1
#endif
struct __CSEQ_object {
    const char *start;
    unsigned long size;
    int is_block, ended, where; /* where: the statement that allocated it, or ended it */
};
static struct __CSEQ_object __CSEQ_objects[1 << 12];
static int __CSEQ_count;
static const void *__CSEQ_kept_block;
static struct __CSEQ_object *__CSEQ_find(const volatile void *pointer)
{
    const char *at = (const char *)pointer;
    struct __CSEQ_object *before = 0;
    for (int i = __CSEQ_count - 1; i >= 0; i--) {
        struct __CSEQ_object *object = &__CSEQ_objects[i];
        if (at >= object->start && at < object->start + object->size)
            return object;
        if (at == object->start + object->size)
            before = object;
    }
    return before;
}
static void __CSEQ_note(const volatile void *start, unsigned long size, int is_block)
{
    for (int i = 0; i < __CSEQ_count; i++)
        if (__CSEQ_objects[i].start == (const char *)start && size)
            return;
    if (__CSEQ_count == sizeof __CSEQ_objects / sizeof __CSEQ_objects[0])
        return;
    struct __CSEQ_object *object = &__CSEQ_objects[__CSEQ_count++];
    object->start = (const char *)start, object->size = size, object->is_block = is_block;
    object->where = __CSEQ_point;
}
static void *__CSEQ_allocate(unsigned long size)
{
    void *block = __CSEQ_malloc(size);
    __CSEQ_note(block, size, 0);
    return block;
}
static int __CSEQ_why(const char *word, int where)
{
    __CSEQ_put(__CSEQ_RECORD_MEMORY " ");
    if (where >= 0)
        __CSEQ_record(word, where);
    else
        __CSEQ_put(word), __CSEQ_put("\n");
    return 0;
}
/* from: the pointer that leads to the memory. inside: the claim is made several times, so its number says little. */
static int __CSEQ_may_access(int check, int inside, const volatile void *from, const volatile void *at,
                             unsigned long size)
{
    struct __CSEQ_object *object = __CSEQ_find(from);
    unsigned long start = (const char *)at - (object ? object->start : 0);
    if ((unsigned long)from < 4096)
        return __CSEQ_why("null", -1);
    if (object && object->ended)
        return __CSEQ_why(object->is_block ? "freed" : "ended", object->where);
    if (object && (start > object->size || size > object->size - start))
        return __CSEQ_why("outside", object->size);
    return check == __CSEQ_WANTED && !inside ? __CSEQ_why("engine", -1) : 1;
}
#define __CSEQ_valid(check, from, at, size) __CSEQ_may_access(check, 0, from, at, size)
#define __CSEQ_valid_inside(check, from, at, size) __CSEQ_may_access(check, 1, from, at, size)
static int __CSEQ_freeable(int check, const volatile void *block)
{
    struct __CSEQ_object *object = __CSEQ_find(block);
    if (!object)
        return __CSEQ_why("unallocated", -1);
    if (object->start != (const char *)block || !object->is_block)
        return __CSEQ_why("unallocated", -1);
    return object->ended ? __CSEQ_why("freed", object->where) : 1;
}
static void __CSEQ_begins(const volatile void *start)
{
    struct __CSEQ_object *object = __CSEQ_find(start);
    if (object && object->start == (const char *)start)
        object->ended = 0;
}
static void __CSEQ_ends(const volatile void *start)
{
    struct __CSEQ_object *object = __CSEQ_find(start);
    if (object && object->start == (const char *)start)
        object->ended = 1, object->where = __CSEQ_point;
}
static void __CSEQ_delete(const volatile void *block)
{
    __CSEQ_ends(block);
    if (block && __CSEQ_kept_block == block)
        __CSEQ_kept_block = 0;
}
static void *__CSEQ_new(unsigned long size)
{
    void *block = __CSEQ_malloc(size);
    __CSEQ_note(block, size, 1);
    if (__CSEQ_take() & 1)
        __CSEQ_kept_block = block;
    return block;
}
/* A freed block is allocated again. */
static void __CSEQ_renewed(void *block)
{
    struct __CSEQ_object *object = __CSEQ_find(block);
    if (object)
        object->ended = 0, object->where = __CSEQ_point;
    if (__CSEQ_take() & 1)
        __CSEQ_kept_block = block;
}
static void *__CSEQ_new_zeroed(unsigned long size)
{
    void *block = __CSEQ_calloc(1, size);
    __CSEQ_note(block, size, 1);
    if (__CSEQ_take() & 1)
        __CSEQ_kept_block = block;
    return block;
}
static const void *__CSEQ_kept(void)
{
    struct __CSEQ_object *object = __CSEQ_find(__CSEQ_kept_block);
    if (object)
        __CSEQ_why("allocated", object->where);
    return __CSEQ_kept_block;
}
static int __CSEQ_same(const volatile void *pointer, const void *block)
{
    struct __CSEQ_object *object = __CSEQ_find(block);
    return object && (const char *)pointer >= object->start && (const char *)pointer <= object->start + object->size;
}
#define __CSEQ_overflow_plus(a, b) __builtin_add_overflow_p(a, b, (__typeof__((a) + (b)))0)
#define __CSEQ_overflow_minus(a, b) __builtin_sub_overflow_p(a, b, (__typeof__((a) - (b)))0)
#define __CSEQ_overflow_mult(a, b) __builtin_mul_overflow_p(a, b, (__typeof__((a) * (b)))0)

/* Which bytes of the state were never written, in programs where that matters: a bit per byte, itself in the state.
 * Undefined bytes are also zero, so that equal states are equal bytes. The program ends with the definitions of the
 * objects that are declared here. */

#ifndef __CSEQ_EXPLORER_DEFINEDNESS_H
#define __CSEQ_EXPLORER_DEFINEDNESS_H

extern unsigned char __cs_undefined[];
extern const unsigned long __cs_undefined_size;

/* Where the thread calls a function of the library: the beginning of texts about what is refused in there. */
static const char *__cs_where;

/* Values for memory that was never written, and how many of these choices the execution has made: the first few only,
 * as they multiply the search. Then such memory is zero. */
extern const long long __cs_guesses[];
extern const unsigned long __cs_guesses_count;
extern unsigned char __cs_guessed;
enum { __CSEQ_MOST_GUESSED = 8 };

struct __CSEQ_said {
    char text[1000];
};

/* Three texts, one after the other. */
static inline const char *__CSEQ_joined(struct __CSEQ_said *said, const char *one, const char *two, const char *three)
{
    const char *texts[] = {one, two, three};
    unsigned long length = 0;
    for (unsigned int i = 0; i < 3; i++)
        for (const char *from = texts[i]; from != 0 && *from != 0 && length < sizeof said->text - 1; from++)
            said->text[length++] = *from;
    said->text[length] = 0;
    return said->text;
}

static inline _Noreturn void __CSEQ_refuse_there(const char *text)
{
    static struct __CSEQ_said said;
    __CSEQ_refuse(__CSEQ_joined(&said, __cs_where, text, 0));
}

#define __CSEQ_OFFSET(at) ((unsigned long)(at) - (unsigned long)__start_cseq_state)

/* Whether the bytes have bits. Constants and variables of a single transition have none: they are always defined. */
static inline int __CSEQ_is_tracked(unsigned long from, unsigned long size)
{
    return from < 8 * __cs_undefined_size && size <= 8 * __cs_undefined_size - from;
}

/* Set or clear the bits of *size* bytes, eight at a time where they fill a byte. */
static inline void __CSEQ_mark(unsigned long from, unsigned long size, int undefined)
{
    for (; size > 0 && ((from & 7) != 0 || size < 8); from++, size--) {
        unsigned char bit = (unsigned char)(1 << (from & 7));
        if (undefined)
            __cs_undefined[from >> 3] |= bit;
        else
            __cs_undefined[from >> 3] &= (unsigned char)~bit;
    }
    for (; size >= 8; from += 8, size -= 8)
        __cs_undefined[from >> 3] = undefined ? 0xff : 0;
    if (size > 0)
        __CSEQ_mark(from, size, undefined);
}

static inline void __CSEQ_define(const volatile void *at, unsigned long size)
{
    unsigned long from = __CSEQ_OFFSET(at);
    if (!__CSEQ_is_tracked(from, size))
        return;
    if ((from & 7) + size <= 8)
        __cs_undefined[from >> 3] &= (unsigned char)~(((1u << size) - 1) << (from & 7));
    else
        __CSEQ_mark(from, size, 0);
}

static inline void __CSEQ_undefine(volatile void *at, unsigned long size)
{
    unsigned long from = __CSEQ_OFFSET(at);
    __builtin_memset((void *)at, 0, size);
    if (__CSEQ_is_tracked(from, size))
        __CSEQ_mark(from, size, 1);
    else if (from < (unsigned long)__stop_cseq_state - (unsigned long)__start_cseq_state)
        __CSEQ_refuse("more objects than the bits that say which of their bytes are defined");
}

static inline int __CSEQ_has_undefined(const volatile void *at, unsigned long size)
{
    unsigned long from = __CSEQ_OFFSET(at);
    if (!__CSEQ_is_tracked(from, size))
        return 0;
    if ((from & 7) + size <= 8)
        return (__cs_undefined[from >> 3] & ((1u << size) - 1) << (from & 7)) != 0;
    for (; size > 0; from++, size--)
        if (__cs_undefined[from >> 3] & 1 << (from & 7))
            return 1;
    return 0;
}

/* The bytes that were never written get a value, one of a few, and keep it. This is noted. */
static inline void __CSEQ_guess(const volatile void *at, unsigned long size, const char *where, const char *text)
{
    static struct __CSEQ_said said;
    unsigned long from = __CSEQ_OFFSET(at), chosen = 0;
    long long value;
    __CSEQ_coarse(__CSEQ_joined(&said, "cut.unwritten 0: ", where, text));
    if (__cs_guessed < __CSEQ_MOST_GUESSED) {
        __cs_guessed++;
        chosen = __CSEQ_choose(__cs_guesses_count);
    }
    value = __cs_guesses[chosen];
    __CSEQ_show(__CSEQ_SHOWS_UNWRITTEN, (unsigned long long)value);
    for (unsigned long i = 0; i < size; i++)
        if (__cs_undefined[(from + i) >> 3] & 1 << ((from + i) & 7))
            ((volatile char *)at)[i] = (char)(value >> (i < sizeof value ? 8 * i : 8 * sizeof value - 1));
    __CSEQ_mark(from, size, 0);
}

static inline void __CSEQ_defined(const volatile void *at, unsigned long size, const char *text)
{
    if (__CSEQ_has_undefined(at, size))
        __CSEQ_guess(at, size, 0, text);
}

static inline void __CSEQ_defined_there(const volatile void *at, unsigned long size, const char *text)
{
    if (__CSEQ_has_undefined(at, size))
        __CSEQ_guess(at, size, __cs_where, text);
}

/* A copy is undefined where the original is. */
static inline void __CSEQ_inherit(const volatile void *to, const volatile void *from, unsigned long size)
{
    unsigned long target = __CSEQ_OFFSET(to), source = __CSEQ_OFFSET(from);
    if (!__CSEQ_is_tracked(source, size) || !__CSEQ_has_undefined(from, size)) {
        __CSEQ_define(to, size);
        return;
    }
    if (!__CSEQ_is_tracked(target, size))
        __CSEQ_refuse("a copy of what was never written, to where that is not tracked");
    for (unsigned long i = 0; i < size; i++) {
        unsigned long k = target <= source ? i : size - 1 - i;
        __CSEQ_mark(target + k, 1, __cs_undefined[(source + k) >> 3] >> ((source + k) & 7) & 1);
    }
}

static inline void *__CSEQ_copied(void *to, const void *from, unsigned long size)
{
    __builtin_memmove(to, from, size);
    __CSEQ_inherit(to, from, size);
    return to;
}

#endif

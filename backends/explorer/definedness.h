/* Which bytes of the state were never written, in programs where that matters: a bit per byte, itself in the state.
 * Undefined bytes are also zero, so that equal states are equal bytes. The program ends with the definitions of the
 * objects that are declared here. */

#ifndef CSEQ_EXPLORER_DEFINEDNESS_H
#define CSEQ_EXPLORER_DEFINEDNESS_H

extern unsigned char __cs_undefined[];
extern const unsigned long __cs_undefined_size;

/* Where the thread calls a function of the library: the beginning of texts about what is refused in there. */
static const char *__cs_where;

static inline _Noreturn void __CSEQ_refuse_there(const char *text)
{
    static char said[1000];
    unsigned long length = 0;
    for (const char *from = __cs_where; from != 0 && *from != 0 && length < sizeof said - 1; from++)
        said[length++] = *from;
    for (; *text != 0 && length < sizeof said - 1; text++)
        said[length++] = *text;
    said[length] = 0;
    __CSEQ_refuse(said);
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

static inline void __CSEQ_defined(const volatile void *at, unsigned long size, const char *text)
{
    if (__CSEQ_has_undefined(at, size))
        __CSEQ_refuse(text);
}

static inline void __CSEQ_defined_there(const volatile void *at, unsigned long size, const char *text)
{
    if (__CSEQ_has_undefined(at, size))
        __CSEQ_refuse_there(text);
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

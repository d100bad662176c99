/* The memory that threads allocate: one arena per thread, in the state. A block lies in the lowest gap that fits, so
 * what one thread allocates does not depend on the others, and equal states are equal bytes. Free memory is zero.
 *
 * In a program that can tell whether an address comes back, a freed block waits as long as anything in the state may
 * lead to it. What is allocated is any block of that size that waits, or a new one.
 *
 * For each unit of 16 bytes there is a byte that says whether it is allocated, and whether it begins or ends a block;
 * for the last unit of a block, also how many of its bytes belong to it. The program ends with the definitions of what
 * is declared here. */

#ifndef __CSEQ_EXPLORER_HEAP_H
#define __CSEQ_EXPLORER_HEAP_H

extern unsigned char __cs_heap[], __cs_heap_units[];
extern const unsigned long __cs_heap_size;  /* of one arena */
extern const unsigned long __cs_heap_total; /* of all of them */
extern const unsigned int __cs_heap_odd;    /* whether blocks are at odd multiples of their alignments */

enum { __CSEQ_UNIT = 16, __CSEQ_ALLOCATED = 0x20, __CSEQ_LAST = 0x40, __CSEQ_FIRST = 0x80, __CSEQ_PART = 0x1f };
enum { __CSEQ_PAGE = 4096 };
enum { __CSEQ_WAITS = 1, __CSEQ_NEVER = 6 }; /* a unit that is freed, and not free */

#define __CSEQ_HEAP_OFFSET(at) ((unsigned long)(at) - (unsigned long)__cs_heap)

/* Allocate the block of *size* bytes that begins at the unit *start*. */
static inline void *__CSEQ_occupy(unsigned long start, unsigned long size)
{
    unsigned long needed = size == 0 ? 1 : size / __CSEQ_UNIT + (size % __CSEQ_UNIT != 0);
    for (unsigned long unit = 0; unit < needed; unit++)
        __cs_heap_units[start + unit] = __CSEQ_ALLOCATED;
    __cs_heap_units[start] |= __CSEQ_FIRST;
    __cs_heap_units[start + needed - 1] |= __CSEQ_LAST | (unsigned char)(size - (needed - 1) * __CSEQ_UNIT);
    return __cs_heap + start * __CSEQ_UNIT;
}

/* Whether a block may begin at *unit*: where blocks are at odd multiples, also after a unit that is free. */
static inline int __CSEQ_may_begin(unsigned long unit, unsigned long step, unsigned long rest)
{
    return unit * __CSEQ_UNIT % step == rest % step && (!__cs_heap_odd || unit == 0 || __cs_heap_units[unit - 1] == 0);
}

/* A new block in the arena of *thread*. cut: the text of the bound, where there is no room. */
static inline void *__CSEQ_new_aligned(unsigned int thread, unsigned long alignment, unsigned long size,
                                       const char *cut)
{
    unsigned long most = __cs_heap_size / __CSEQ_UNIT, start = thread * most, end = start + most;
    unsigned long needed = size == 0 ? 1 : size / __CSEQ_UNIT + (size % __CSEQ_UNIT != 0), run = 0;
    if (alignment == 0 || alignment > __CSEQ_PAGE || (alignment & (alignment - 1)) != 0)
        __CSEQ_refuse("memory is allocated with an alignment that is no power of two up to the size of a page");
    if (end > __cs_heap_total / __CSEQ_UNIT || needed > most)
        __CSEQ_cut(cut);
    unsigned long step = alignment << __cs_heap_odd, rest = __cs_heap_odd ? alignment : 0;
    for (unsigned long unit = start; unit < end && run < needed + __cs_heap_odd; unit++) {
        if (__cs_heap_units[unit] != 0)
            run = 0;
        else if (run != 0 || __CSEQ_may_begin(unit, step, rest))
            start = run++ == 0 ? unit : start;
    }
    if (run < needed + __cs_heap_odd)
        __CSEQ_cut(cut);
    return __CSEQ_occupy(start, size);
}

static inline void *__CSEQ_new_block(unsigned int thread, unsigned long size, const char *cut)
{
    return __CSEQ_new_aligned(thread, __CSEQ_UNIT, size, cut);
}

static inline void *__CSEQ_new_blocks(unsigned int thread, unsigned long count, unsigned long size, const char *cut)
{
    if (size != 0 && count > -1UL / size)
        __CSEQ_cut(cut);
    return __CSEQ_new_block(thread, count * size, cut);
}

/* The number of units of the block at *at*; 0 where none begins there. */
static inline unsigned long __CSEQ_units(const volatile void *at)
{
    unsigned long from = __CSEQ_HEAP_OFFSET(at), unit = from / __CSEQ_UNIT, count = 1;
    if (from >= __cs_heap_total || from % __CSEQ_UNIT != 0 || !(__cs_heap_units[unit] & __CSEQ_FIRST)
        || !(__cs_heap_units[unit] & __CSEQ_ALLOCATED))
        return 0;
    while (!(__cs_heap_units[unit + count - 1] & __CSEQ_LAST))
        count++;
    return count;
}

/* The size of the block at *at*. Without a block, *text* is a violation if there is a claim about that, else a refusal.
 */
static inline unsigned long __CSEQ_block_size(const volatile void *at, const char *text, int claimed)
{
    unsigned long units = __CSEQ_units(at);
    if (units == 0 && claimed)
        __CSEQ_violate(text);
    if (units == 0)
        __CSEQ_refuse(text);
    return (units - 1) * __CSEQ_UNIT
        + (__cs_heap_units[__CSEQ_HEAP_OFFSET(at) / __CSEQ_UNIT + units - 1] & __CSEQ_PART);
}

/* The same for a block that is released, by a call of the user's: that is refused at this call. */
static inline unsigned long __CSEQ_released_size(const volatile void *at, const char *text, int claimed)
{
    if (__CSEQ_units(at) == 0 && !claimed)
        __CSEQ_refuse_there(text);
    return __CSEQ_block_size(at, text, claimed);
}

static inline void __CSEQ_free(volatile void *at, const char *text, int claimed)
{
    unsigned long size = at == 0 ? 0 : __CSEQ_released_size(at, text, claimed), units = at == 0 ? 0 : __CSEQ_units(at);
    __builtin_memset((void *)at, 0, size);
    for (unsigned long unit = 0; unit < units; unit++)
        __cs_heap_units[__CSEQ_HEAP_OFFSET(at) / __CSEQ_UNIT + unit] = 0;
}

/* The same for memory that may contain anything, where all bytes are __CSEQ_NEVER: that is the state of an object of
 * the thread library that was never initialised. Programs that track what is undefined track this. */
static inline void *__CSEQ_fresh_aligned(unsigned int thread, unsigned long alignment, unsigned long size,
                                         const char *cut)
{
    void *block = __CSEQ_new_aligned(thread, alignment, size, cut);
    __CSEQ_undefine(block, size);
    __builtin_memset(block, __CSEQ_NEVER, size);
    return block;
}

static inline void *__CSEQ_fresh_block(unsigned int thread, unsigned long size, const char *cut)
{
    return __CSEQ_fresh_aligned(thread, __CSEQ_UNIT, size, cut);
}

static inline void __CSEQ_free_tracked(volatile void *at, const char *text, int claimed)
{
    if (at != 0)
        __CSEQ_define(at, __CSEQ_released_size(at, text, claimed));
    __CSEQ_free(at, text, claimed);
}

/* The same in programs that can tell whether an address comes back. */
static inline void __CSEQ_free_waiting(volatile void *at, const char *text, int claimed)
{
    unsigned long units = at == 0 ? 0 : __CSEQ_units(at), first = __CSEQ_HEAP_OFFSET(at) / __CSEQ_UNIT;
    if (at != 0)
        __CSEQ_released_size(at, text, claimed);
    for (unsigned long unit = 0; unit < units; unit++)
        __cs_heap_units[first + unit] = __CSEQ_WAITS;
    if (units != 0) {
        __cs_heap_units[first] |= __CSEQ_FIRST;
        __cs_heap_units[first + units - 1] |= __CSEQ_LAST;
    }
}

/* The number of units of the block that waits at *unit*; 0 where none begins there. */
static inline unsigned long __CSEQ_waiting(unsigned long unit)
{
    unsigned long count = 1;
    if (!(__cs_heap_units[unit] & __CSEQ_FIRST) || (__cs_heap_units[unit] & __CSEQ_ALLOCATED))
        return 0;
    while (!(__cs_heap_units[unit + count - 1] & __CSEQ_LAST))
        count++;
    return count;
}

/* Whether any word of the state may be an address in *size* bytes at *at*. */
static inline int __CSEQ_is_known(const char *at, unsigned long size)
{
    for (const char *from = __start_cseq_state; from + sizeof at <= __stop_cseq_state; from++) {
        const char *word, *used = (unsigned long)from % __CSEQ_PAGE == 0 ? __CSEQ_used_from(from) : from;
        if (used > from + sizeof at) {
            from = used - sizeof at; /* a word may begin with zeros */
            continue;
        }
        __builtin_memcpy(&word, from, sizeof word);
        if ((unsigned long)word - (unsigned long)at < size)
            return 1;
    }
    return 0;
}

/* A block that waits becomes free memory. */
static inline void __CSEQ_forget(unsigned long unit, unsigned long units)
{
    __builtin_memset(__cs_heap_units + unit, 0, units);
    __builtin_memset(__cs_heap + unit * __CSEQ_UNIT, 0, units * __CSEQ_UNIT);
    __CSEQ_define(__cs_heap + unit * __CSEQ_UNIT, units * __CSEQ_UNIT);
}

/* A block of *thread*: any of this size that waits, or a new one. What nothing leads to waits no longer, but inside an
 * atomic section the state is not all that there is. */
static inline void *__CSEQ_any_block(unsigned int thread, unsigned long size, const char *cut)
{
    unsigned long needed = size == 0 ? 1 : size / __CSEQ_UNIT + (size % __CSEQ_UNIT != 0), found = 0, chosen;
    for (unsigned long unit = 0, units; unit < __cs_heap_total / __CSEQ_UNIT; unit += units ? units : 1) {
        unit = (unsigned long)(__CSEQ_used_from((char *)__cs_heap_units + unit) - (char *)__cs_heap_units);
        units = unit < __cs_heap_total / __CSEQ_UNIT ? __CSEQ_waiting(unit) : 0;
        if (units == 0)
            continue;
        if (__cs_depth == 0 && !__CSEQ_is_known((char *)__cs_heap + unit * __CSEQ_UNIT, units * __CSEQ_UNIT))
            __CSEQ_forget(unit, units);
        else
            found += units == needed;
    }
    chosen = found == 0 ? 0 : __CSEQ_choose(found + 1);
    for (unsigned long unit = 0, left = chosen + 1; chosen < found; unit++)
        if (__CSEQ_waiting(unit) == needed && --left == 0) {
            void *block = __CSEQ_occupy(unit, size);
            __CSEQ_undefine(block, size);
            return block;
        }
    return __CSEQ_fresh_block(thread, size, cut);
}

/* Whether any freed block whose address is still known is of another size than a block of *size* bytes. */
static inline int __CSEQ_other_sizes(unsigned long size)
{
    unsigned long needed = size == 0 ? 1 : size / __CSEQ_UNIT + (size % __CSEQ_UNIT != 0);
    for (unsigned long unit = 0, units; unit < __cs_heap_total / __CSEQ_UNIT; unit += units ? units : 1) {
        unit = (unsigned long)(__CSEQ_used_from((char *)__cs_heap_units + unit) - (char *)__cs_heap_units);
        units = unit < __cs_heap_total / __CSEQ_UNIT ? __CSEQ_waiting(unit) : 0;
        if (units != 0 && units != needed
            && (__cs_depth != 0 || __CSEQ_is_known((char *)__cs_heap + unit * __CSEQ_UNIT, units * __CSEQ_UNIT)))
            return 1;
    }
    return 0;
}

/* Whether the block at *at* is resized where it is: either, if there is room. */
static inline int __CSEQ_resized(void *at, unsigned long size)
{
    unsigned long needed = size == 0 ? 1 : size / __CSEQ_UNIT + (size % __CSEQ_UNIT != 0), had = __CSEQ_units(at);
    unsigned long first = __CSEQ_HEAP_OFFSET(at) / __CSEQ_UNIT, most = __cs_heap_size / __CSEQ_UNIT;
    unsigned long end = (first / most + 1) * most, before = __CSEQ_block_size(at, "", 0);
    for (unsigned long unit = first + had; unit < first + needed + __cs_heap_odd; unit++)
        if (unit >= end || __cs_heap_units[unit] != 0)
            return 0;
    if (!__CSEQ_choose(2))
        return 0;
    for (unsigned long unit = first + needed; unit < first + had; unit++)
        __cs_heap_units[unit] = 0;
    if (size < before) {
        __builtin_memset((char *)at + size, 0, before - size);
        __CSEQ_define((char *)at + size, before - size);
    } else {
        __CSEQ_undefine((char *)at + before, size - before);
    }
    __CSEQ_occupy(first, size);
    return 1;
}

/* Whether *size* bytes are allocated; true of memory outside of the arenas. */
static inline int __CSEQ_is_allocated(const volatile void *at, unsigned long size)
{
    unsigned long from = __CSEQ_HEAP_OFFSET(at);
    if (from >= __cs_heap_total)
        return 1;
    for (unsigned long end = from + size; from < end; from = (from / __CSEQ_UNIT + 1) * __CSEQ_UNIT) {
        unsigned char unit = from < __cs_heap_total ? __cs_heap_units[from / __CSEQ_UNIT] : 0;
        unsigned long part = unit & __CSEQ_LAST ? unit & __CSEQ_PART : __CSEQ_UNIT;
        unsigned long last = (end - 1) / __CSEQ_UNIT == from / __CSEQ_UNIT ? (end - 1) % __CSEQ_UNIT : __CSEQ_UNIT - 1;
        if (!(unit & __CSEQ_ALLOCATED) || last >= part)
            return 0;
    }
    return 1;
}

/* Whether *at* leads to a block that was freed, and waits. There is no proof then; the execution goes on with what was
 * there, as with most allocators. */
static inline int __CSEQ_is_stale(const volatile void *at)
{
    unsigned long from = __CSEQ_HEAP_OFFSET(at);
    return from < __cs_heap_total && __cs_heap_units[from / __CSEQ_UNIT] != 0
        && !(__cs_heap_units[from / __CSEQ_UNIT] & __CSEQ_ALLOCATED);
}

static inline void __CSEQ_reach(const volatile void *at, unsigned long size, const char *text)
{
    if (__CSEQ_is_stale(at))
        __CSEQ_coarse(text);
    else if (!__CSEQ_is_allocated(at, size))
        __CSEQ_refuse(text);
}

static inline void __CSEQ_reach_there(const volatile void *at, unsigned long size, const char *text)
{
    if (__CSEQ_is_stale(at))
        __CSEQ_coarse(text);
    else if (!__CSEQ_is_allocated(at, size))
        __CSEQ_refuse_there(text);
}

#endif

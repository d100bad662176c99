/* Where objects lie in memory, as far as the program looks at that.
 *
 * The order of two objects is chosen when the program first depends on it, and kept in the state: an order of all
 * objects that were compared so far. It is one that Linux has: functions lie below objects at file level, these below
 * blocks and the stacks of threads, and these below the stack of main. The stage `address_order` makes the calls.
 * Objects are found as for claims about memory, see checked.h; a block comes after memory that is free, so that the end
 * of one is no other. */

#ifndef __CSEQ_EXPLORER_LAYOUT_H
#define __CSEQ_EXPLORER_LAYOUT_H

/* In the state, the lowest first; the rest is 0. The program defines it. */
extern const char *__cs_order[];
extern const unsigned int __cs_order_size;
/* In the state: the objects of which a hash was made, by their addresses, and the remainders of their addresses by
 * the period, doubled, with a 1 where the remainder was chosen for offsets that the grain does not divide. */
extern const char *__cs_hashed[];
extern unsigned int __cs_remainders[];
extern const unsigned long __cs_period, __cs_grain; /* hashes of x depend on x / grain modulo period, see `Hashes` */
extern const unsigned int __cs_renews_locals; /* whether addresses of locals of main may be taken in several lives */
extern const void *const __cs_functions[];    /* those of the user whose addresses are taken */
extern const unsigned int __cs_functions_count;

/* The end of the memory in which objects lie. */
#define __CSEQ_END_OF_MEMORY (sizeof(void *) == 4 ? 0xfffff000UL : (unsigned long)(1ULL << 47))

/* Whether *at* may be the address of an object that is not known: a string, or one on the stack. */
static inline int __CSEQ_may_be_address(const volatile void *at)
{
    unsigned long here = (unsigned long)__builtin_frame_address(0), start = (unsigned long)__executable_start;
    return (unsigned long)at - start < (unsigned long)__stop_cseq_state - start
        || (unsigned long)at - (here - (1UL << 20)) < 1UL << 21;
}

static inline int __CSEQ_is_function(const volatile void *at)
{
    for (unsigned int i = 0; i < __cs_functions_count; i++)
        if (at == __cs_functions[i])
            return 1;
    return 0;
}

/* Find the object that *at* leads into, or to the end of, or the function that it leads to. */
static inline int __CSEQ_locate(const volatile void *at, struct __CSEQ_found *found)
{
    if (__CSEQ_is_function(at)) {
        *found = (struct __CSEQ_found){(const char *)at, 1, __CSEQ_THERE, 1, 0};
        return 1;
    }
    return __CSEQ_find(at, found) || __CSEQ_find((const volatile char *)at - 1, found);
}

/* Whether both are in a string: there is a null byte between two of them. */
static inline int __CSEQ_are_in_string(const volatile void *left, const volatile void *right)
{
    const char *lower = (const char *)(left < right ? left : right),
               *upper = (const char *)(left < right ? right : left);
    while (lower < upper && *lower)
        lower++;
    return lower == upper;
}

/* Whether the result of comparing, or of subtracting, two addresses depends on where two objects lie. cut: the text of
 * the bound, where something does that is not explored. */
static inline int __CSEQ_are_apart(const volatile void *left, const volatile void *right, const char *cut)
{
    struct __CSEQ_found one, other;
    int known = __CSEQ_locate(left, &one), known_other = __CSEQ_locate(right, &other);
    if (known && known_other && one.has_bounds && other.has_bounds)
        return one.start != other.start;
    if (known && known_other && one.start == other.start && __CSEQ_are_in_string(left, right))
        return 0;
    if (left != right && (known || __CSEQ_may_be_address(left)) && (known_other || __CSEQ_may_be_address(right)))
        __CSEQ_coarse(cut);
    return 0;
}

/* Whether the object that begins at *start* is a local that may have several lives. */
static inline int __CSEQ_may_live_again(const char *start)
{
    for (unsigned int thread = !__cs_renews_locals; thread < __CSEQ_most_threads; thread++)
        if ((unsigned long)start - (unsigned long)__cs_frame_table[thread].start < __cs_frame_table[thread].size)
            return 1;
    return 0;
}

/* In which part of memory an object or a function lies, the lowest first. */
static inline unsigned int __CSEQ_part_of_memory(const char *start)
{
    if (__CSEQ_is_function(start))
        return 0;
    const char *main = (const char *)__cs_frame_table[0].start;
    if ((unsigned long)start - (unsigned long)main < __cs_frame_table[0].size)
        return 3;
    for (unsigned int thread = 1; thread < __CSEQ_most_threads; thread++)
        if ((unsigned long)start - (unsigned long)__cs_frame_table[thread].start < __cs_frame_table[thread].size)
            return 2;
    return __CSEQ_HEAP_OFFSET(start) < __cs_heap_total ? 2 : 1;
}

/* Give the object that begins at *start* a place in the order, any; false if there are too many. Its place is kept,
 * even if it is a local whose life has begun again meanwhile: then not all is explored. */
static inline int __CSEQ_has_place(const char *start, const char *cut)
{
    unsigned int count = 0, least = 0, most = 0, part = __CSEQ_part_of_memory(start), place;
    for (; count < __cs_order_size && __cs_order[count]; count++) {
        if (__cs_order[count] == start) {
            if (__CSEQ_may_live_again(start))
                __CSEQ_coarse(cut);
            return 1;
        }
        least += __CSEQ_part_of_memory(__cs_order[count]) < part;
        most += __CSEQ_part_of_memory(__cs_order[count]) <= part;
    }
    if (count == __cs_order_size)
        return 0;
    place = least + (most > least ? (unsigned int)__CSEQ_choose(most - least + 1) : 0);
    for (; count > place; count--)
        __cs_order[count] = __cs_order[count - 1];
    __cs_order[place] = start;
    return 1;
}

/* The sign of the difference of two addresses in different objects. below, above: the texts that say so. */
static inline int __CSEQ_order(const volatile void *left, const volatile void *right, const char *below,
                               const char *above, const char *cut)
{
    struct __CSEQ_found one, other;
    unsigned int place = 0;
    int sign;
    __CSEQ_locate(left, &one);
    __CSEQ_locate(right, &other);
    sign = (int)__CSEQ_part_of_memory(one.start) - (int)__CSEQ_part_of_memory(other.start);
    if (sign == 0) {
        if (!__CSEQ_has_place(one.start, cut) || !__CSEQ_has_place(other.start, cut))
            __CSEQ_cut(cut);
        while (__cs_order[place] != one.start && __cs_order[place] != other.start)
            place++;
        sign = __cs_order[place] == one.start ? -1 : 1;
    }
    __CSEQ_show(__CSEQ_SHOWS_ORDER, (unsigned long)(sign < 0 ? below : above));
    return sign;
}

/* The distance of two addresses is used. */
static inline void __CSEQ_distance_of(const volatile void *left, const volatile void *right, const char *cut)
{
    if (__CSEQ_are_apart(left, right, cut))
        __CSEQ_coarse(cut);
}

/* The value of a number is used that may have been made from an address. */
static inline void __CSEQ_looks(unsigned long number, const char *cut)
{
    const unsigned long numbers[] = {number, ~number, -number};
    struct __CSEQ_found found;
    for (unsigned int i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (__CSEQ_find((void *)numbers[i], &found) || __CSEQ_may_be_address((void *)numbers[i]))
            __CSEQ_coarse(cut);
}

/* Two addresses, or numbers that may have been made from some, are tested for equality: if one is the address of an
 * object and the other one is not, then another layout may make them equal, unless the alignment forbids that. */
static inline void __CSEQ_guesses(unsigned long left, unsigned long right, const char *cut)
{
    struct __CSEQ_found one, other;
    int known = __CSEQ_locate((void *)left, &one), known_other = __CSEQ_locate((void *)right, &other);
    unsigned long number = known ? right : left, start, alignment;
    if (known == known_other || number < 4096 || number >= __CSEQ_END_OF_MEMORY)
        return;
    one = known ? one : other;
    start = (unsigned long)one.start;
    alignment = one.has_bounds && !__CSEQ_is_function(one.start) ? start & -start : 1;
    if (((number - ((known ? left : right) - start)) & (alignment - 1)) == 0)
        __CSEQ_coarse(cut);
}

/* The pointer that the byte *at* may belong to, as a number. */
static inline unsigned long __CSEQ_word_around(const char *at)
{
    void *word;
    __builtin_memcpy(&word, at - (unsigned long)at % sizeof word, sizeof word);
    return (unsigned long)word;
}

/* Bytes are compared: which are less depends on addresses if the first ones that differ belong to an address. */
static inline void __CSEQ_compares(const volatile void *left, const volatile void *right, unsigned long size,
                                   const char *cut)
{
    unsigned long at = 0;
    while (at < size && ((const char *)left)[at] == ((const char *)right)[at])
        at++;
    if (at == size)
        return;
    __CSEQ_looks(__CSEQ_word_around((const char *)left + at), cut);
    __CSEQ_looks(__CSEQ_word_around((const char *)right + at), cut);
}

/* The bits *mask* of such a number are used, or cleared: those below the alignment of an object are zero at its start.
 */
static inline void __CSEQ_looks_at_bits(unsigned long number, unsigned long mask, const char *cut)
{
    struct __CSEQ_found found;
    mask = mask < ~mask ? mask : ~mask;
    if (!__CSEQ_find((void *)number, &found) || !found.has_bounds || found.start < __start_cseq_state
        || found.start >= __stop_cseq_state || mask >= ((unsigned long)found.start & -(unsigned long)found.start))
        __CSEQ_looks(number, cut);
}

static inline unsigned long __CSEQ_common_divisor(unsigned long one, unsigned long other)
{
    while (other) {
        unsigned long rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

/* The place in the table of the object that begins at *start*; a new one if it has none. */
static inline unsigned int __CSEQ_place_of_hashed(const char *start, const char *cut)
{
    unsigned int place = 0, last;
    while (place < __cs_order_size && __cs_hashed[place] && __cs_hashed[place] < start)
        place++;
    if (place < __cs_order_size && __cs_hashed[place] == start)
        return place;
    if (__cs_hashed[__cs_order_size - 1])
        __CSEQ_cut(cut);
    for (last = __cs_order_size - 1; last > place; last--) {
        __cs_hashed[last] = __cs_hashed[last - 1];
        __cs_remainders[last] = __cs_remainders[last - 1];
    }
    __cs_hashed[place] = 0;
    return place;
}

/* The address *number* in a layout in which the remainder of the object's address by the period is any that its
 * alignment allows; other numbers stay as they are. The remainder is chosen once for each object. Addresses in that
 * layout differ by as many periods as there are bytes between the objects. */
static inline unsigned long __CSEQ_hashed(unsigned long number, const char *cut)
{
    struct __CSEQ_found found;
    unsigned long offset, alignment, step;
    unsigned int place, is_fine;
    if (!__CSEQ_locate((void *)number, &found) || !found.has_bounds) {
        __CSEQ_looks(number, cut);
        return number;
    }
    offset = number - (unsigned long)found.start;
    alignment = __CSEQ_is_function(found.start) ? 1 : (unsigned long)found.start & -(unsigned long)found.start;
    is_fine = offset % __cs_grain != 0;
    step = is_fine ? alignment : alignment / __CSEQ_common_divisor(alignment, __cs_grain) * __cs_grain;
    place = __CSEQ_place_of_hashed(found.start, cut);
    if (!__cs_hashed[place]) {
        unsigned long count = __cs_period / __CSEQ_common_divisor(__cs_period, step);
        unsigned long chosen = count > 1 ? (unsigned long)__CSEQ_choose(count) : 0;
        __cs_hashed[place] = found.start;
        __cs_remainders[place] = (unsigned int)(chosen * step % __cs_period * 2 + is_fine);
    } else if (__CSEQ_may_live_again(found.start)
               || (is_fine && !(__cs_remainders[place] & 1) && alignment % __cs_grain != 0))
        __CSEQ_coarse(cut);
    offset += __cs_remainders[place] / 2;
    return ((unsigned long)(found.start - __executable_start) + (1UL << 20)) * __cs_period + offset;
}

#endif

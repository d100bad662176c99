/* What C demands of arithmetic and of memory accesses, where it takes more than C to say so.
 *
 * For memory, the program ends with tables of its objects (modules/explicit/encode/memory_registry.py). After each
 * object, there is memory that belongs to none: so an address at the end of an object is not that of another one. After
 * each block there is a spare unit, and a freed block waits as long as anything in the state may lead to it. So an
 * address leads to the object that the pointer was made for: executions in which arithmetic moves it to another one are
 * cut off. */

#ifndef __CSEQ_EXPLORER_CHECKED_H
#define __CSEQ_EXPLORER_CHECKED_H

#define __CSEQ_overflow_plus(a, b) __builtin_add_overflow(a, b, &(__typeof__((a) + (b))){0})
#define __CSEQ_overflow_minus(a, b) __builtin_sub_overflow(a, b, &(__typeof__((a) - (b))){0})
#define __CSEQ_overflow_mult(a, b) __builtin_mul_overflow(a, b, &(__typeof__((a) * (b))){0})

/* Objects keep their order, so that those between them separate them. */
#define __CSEQ_IN_ORDER __attribute__((no_reorder))
#define __CSEQ_GAP __attribute__((no_reorder, used))

/* Objects at file level. is_users: whether what leads to a block in there may keep it from being lost. */
struct __CSEQ_object {
    const volatile void *start;
    unsigned long size;
    int is_users;
};
extern const struct __CSEQ_object __cs_objects[];
extern const unsigned int __cs_objects_count;

/* Locals: they exist in a thread that stands at one of these places. start: in the frame. ended: where the frame says
 * whether the life of the object has ended; -1 where it is as long as that of the thread. */
struct __CSEQ_local {
    unsigned int first_place, last_place;
    unsigned long start, size;
    long ended;
};
extern const struct __CSEQ_local __cs_locals[];
extern const unsigned int __cs_locals_count;

/* The frame of each thread. */
struct __CSEQ_frame {
    const volatile void *start;
    unsigned long size;
};
extern const struct __CSEQ_frame __cs_frame_table[];

/* Whether one of the user's pointers at file level leads to the block. */
int __CSEQ_is_rooted(const char *block, unsigned long size);

extern char __executable_start[], __data_start[];

enum __CSEQ_state {
    __CSEQ_THERE,
    __CSEQ_NULL,
    __CSEQ_FREED_BLOCK,
    __CSEQ_ENDED,
    __CSEQ_OUTSIDE,
    __CSEQ_NO_BLOCK,
    __CSEQ_NOT_FREED
};

static inline void __CSEQ_changes(const volatile void *object)
{
    __CSEQ_show(__CSEQ_SHOWS_CHANGE, (unsigned long)object);
}

#define __CSEQ_UNSURE "cut.provenance 0"
#define __CSEQ_MAY_BE_LOST "cut.lost 1"

/* What a pointer without a value leads to: nothing. */
#define __CSEQ_WILD ((void *)-4096L)

/* The value of a pointer without one: any; all but this one are left out. */
static inline void *__CSEQ_anywhere(void)
{
    __CSEQ_coarse(__CSEQ_UNSURE);
    return __CSEQ_WILD;
}

struct __CSEQ_found {
    const char *start;
    unsigned long size;
    enum __CSEQ_state state; /* THERE, FREED_BLOCK or ENDED */
    int has_bounds, is_block;
};

/* Whether *at* is in these bytes, or directly after them. */
static inline int __CSEQ_is_in(const volatile void *at, const volatile void *start, unsigned long size)
{
    return (unsigned long)at - (unsigned long)start <= size;
}

static inline int __CSEQ_find_object(const volatile void *at, struct __CSEQ_found *found)
{
    for (unsigned int i = 0; i < __cs_objects_count; i++)
        if (__CSEQ_is_in(at, __cs_objects[i].start, __cs_objects[i].size)) {
            *found =
                (struct __CSEQ_found){(const char *)__cs_objects[i].start, __cs_objects[i].size, __CSEQ_THERE, 1, 0};
            return 1;
        }
    return 0;
}

static inline int __CSEQ_find_local(const volatile void *at, struct __CSEQ_found *found)
{
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++) {
        const char *frame = (const char *)__cs_frame_table[thread].start;
        unsigned long size = __cs_frame_table[thread].size;
        unsigned int place;
        if ((unsigned long)at - (unsigned long)frame >= size) /* what is behind its end belongs to something else */
            continue;
        place = __CSEQ_place(thread);
        if (place == 0) {
            *found = (struct __CSEQ_found){frame, size, __CSEQ_ENDED, 0, 0};
            return 1;
        }
        for (unsigned int i = 0; i < __cs_locals_count; i++) {
            const struct __CSEQ_local *local = &__cs_locals[i];
            if (place < local->first_place || place > local->last_place
                || !__CSEQ_is_in(at, frame + local->start, local->size))
                continue;
            *found = (struct __CSEQ_found){frame + local->start, local->size, __CSEQ_THERE, 1, 0};
            if (local->ended >= 0 && frame[local->ended])
                found->state = __CSEQ_ENDED;
            return 1;
        }
    }
    return 0;
}

/* The units of the block around one of them, the last of which is spare. */
static inline void __CSEQ_around(unsigned long *first, unsigned long *last)
{
    while (!(__cs_heap_units[*first] & __CSEQ_FIRST))
        --*first;
    while (!(__cs_heap_units[*last] & __CSEQ_LAST))
        ++*last;
}

static inline unsigned long __CSEQ_size_of_units(unsigned long first, unsigned long last)
{
    return (last - first - 1) * __CSEQ_UNIT + (__cs_heap_units[last] & __CSEQ_PART);
}

static inline int __CSEQ_find_block(const volatile void *at, struct __CSEQ_found *found)
{
    unsigned long first = __CSEQ_HEAP_OFFSET(at) / __CSEQ_UNIT, last = first;
    if (__CSEQ_HEAP_OFFSET(at) >= __cs_heap_total || __cs_heap_units[first] == 0)
        return 0;
    __CSEQ_around(&first, &last);
    *found = (struct __CSEQ_found){(char *)__cs_heap + first * __CSEQ_UNIT, __CSEQ_size_of_units(first, last),
                                   __CSEQ_FREED_BLOCK, 1, 1};
    if (__cs_heap_units[first] & __CSEQ_ALLOCATED)
        found->state = __CSEQ_THERE;
    return 1;
}

/* Strings in initialisers, of which the bounds are not known. */
static inline int __CSEQ_find_constant(const volatile void *at, struct __CSEQ_found *found)
{
    unsigned long size = (unsigned long)__data_start - (unsigned long)__executable_start;
    *found = (struct __CSEQ_found){__executable_start, size, __CSEQ_THERE, 0, 0};
    return (const volatile char *)at >= __executable_start && (const volatile char *)at < __data_start;
}

static inline int __CSEQ_find(const volatile void *at, struct __CSEQ_found *found)
{
    return __CSEQ_find_object(at, found) || __CSEQ_find_local(at, found) || __CSEQ_find_block(at, found)
        || __CSEQ_find_constant(at, found);
}

/* Objects side by side share an address. Compilers that keep the order leave none. */
static inline void __CSEQ_separates(void)
{
    static int asked;
    if (asked == 0)
        for (unsigned int i = 0; i < __cs_objects_count; i++)
            for (unsigned int j = 0; j < __cs_objects_count; j++)
                if (i != j && __CSEQ_is_in(__cs_objects[i].start, __cs_objects[j].start, __cs_objects[j].size))
                    asked = 2;
    if (asked == 2)
        __CSEQ_coarse(__CSEQ_UNSURE);
    asked = asked == 0 ? 1 : asked;
}

/* A claim about memory does not hold. which: where the object is, or its size if the pointer leads out of it. */
static inline int __CSEQ_why(enum __CSEQ_state state, unsigned long which)
{
    __CSEQ_show(__CSEQ_SHOWS_STATE, state);
    __CSEQ_show(__CSEQ_SHOWS_WHICH, which);
    return 0;
}

/* Whether *size* bytes at *at* are part of the object that *from* leads to. */
static inline int __CSEQ_valid(int check, const volatile void *from, const volatile void *at, unsigned long size)
{
    struct __CSEQ_found found;
    unsigned long start;
    (void)check;
    __CSEQ_separates();
    if ((unsigned long)from < 4096)
        return __CSEQ_why(__CSEQ_NULL, 0);
    if (!__CSEQ_find(from, &found)) {
        if (__CSEQ_find(at, &found)) /* arithmetic that comes back */
            __CSEQ_cut(__CSEQ_UNSURE);
        return __CSEQ_why(__CSEQ_THERE, 0);
    }
    if (found.state != __CSEQ_THERE)
        return __CSEQ_why(found.state, (unsigned long)found.start);
    start = (unsigned long)at - (unsigned long)found.start;
    if (start > found.size || size > found.size - start)
        return __CSEQ_why(__CSEQ_OUTSIDE, found.size);
    if (!found.has_bounds)
        __CSEQ_coarse(__CSEQ_UNSURE);
    return 1;
}

/* The same in the library, which also has objects of its own on the stack. */
static inline int __CSEQ_valid_inside(int check, const volatile void *from, const volatile void *at, unsigned long size)
{
    unsigned long here = (unsigned long)__builtin_frame_address(0);
    if ((unsigned long)from - (here - (1UL << 20)) < 1UL << 21)
        return 1;
    return __CSEQ_valid(check, from, at, size);
}

/* Arithmetic makes *to* of *from*, or of an integer where that is 0. Where it leads to memory that is that of another
 * object, or may become so, the execution is cut off: the address would be taken for one in there. An integer is likely
 * to have been a pointer to where it leads, but nothing is proved. */
static inline int __CSEQ_arrives(const volatile void *from, const volatile void *to)
{
    struct __CSEQ_found here, there;
    if (from != 0 && __CSEQ_find(from, &here) && __CSEQ_is_in(to, here.start, here.size))
        return 1;
    if (!__CSEQ_find(to, &there) && __CSEQ_HEAP_OFFSET(to) >= __cs_heap_total)
        return 1;
    if (from != 0)
        __CSEQ_cut(__CSEQ_UNSURE);
    __CSEQ_coarse(__CSEQ_UNSURE);
    return 1;
}

/* Blocks. The first byte of the spare unit says whether the user is to free it. */

enum { __CSEQ_USERS = 1, __CSEQ_REACHED = 2 };

static inline unsigned char *__CSEQ_spare(unsigned long last)
{
    return (unsigned char *)__cs_heap + last * __CSEQ_UNIT;
}

/* The size that the block at *at* takes with the spare unit. */
static inline unsigned long __CSEQ_with_spare(unsigned long size)
{
    return size > -1UL / 2 ? -1UL / 2 : (size == 0 ? 1 : size) + __CSEQ_UNIT;
}

/* *block*, which was allocated for that size, as one of *size* bytes. */
static inline void *__CSEQ_made(void *block, unsigned long size, unsigned char whose)
{
    unsigned long units = __CSEQ_units(block), last = __CSEQ_HEAP_OFFSET(block) / __CSEQ_UNIT + units - 1;
    __cs_heap_units[last] &= (unsigned char)~__CSEQ_PART;
    __cs_heap_units[last] |= (unsigned char)(size - (units - 2) * __CSEQ_UNIT);
    __builtin_memset(__CSEQ_spare(last), 0, __CSEQ_UNIT);
    __CSEQ_define(__CSEQ_spare(last), __CSEQ_UNIT);
    *__CSEQ_spare(last) = whose;
    __CSEQ_changes(block);
    return block;
}

static inline void *__CSEQ_made_fresh(unsigned int thread, unsigned long size, const char *cut, unsigned char whose)
{
    return __CSEQ_made(__CSEQ_fresh_block(thread, __CSEQ_with_spare(size), cut), size, whose);
}

static inline void *__CSEQ_made_aligned(unsigned int thread, unsigned long alignment, unsigned long size,
                                        const char *cut)
{
    void *block = __CSEQ_fresh_aligned(thread, alignment, __CSEQ_with_spare(size), cut);
    return __CSEQ_made(block, size, __CSEQ_USERS);
}

static inline void *__CSEQ_made_zeroed_aligned(unsigned int thread, unsigned long alignment, unsigned long size,
                                               const char *cut)
{
    return __CSEQ_made(__CSEQ_new_aligned(thread, alignment, __CSEQ_with_spare(size), cut), size, 0);
}

static inline void *__CSEQ_made_any(unsigned int thread, unsigned long size, const char *cut, unsigned char whose)
{
    return __CSEQ_made(__CSEQ_any_block(thread, __CSEQ_with_spare(size), cut), size, whose);
}

static inline void *__CSEQ_made_zeroed(unsigned int thread, unsigned long count, unsigned long size, const char *cut,
                                       unsigned char whose)
{
    if (size != 0 && count > -1UL / 2 / size)
        __CSEQ_cut(cut);
    return __CSEQ_made(__CSEQ_new_block(thread, __CSEQ_with_spare(count * size), cut), count * size, whose);
}

static inline int __CSEQ_freeable(int check, const volatile void *block)
{
    struct __CSEQ_found found;
    unsigned long units;
    (void)check;
    if (!__CSEQ_find_block(block, &found) || found.start != (const char *)block)
        return __CSEQ_why(__CSEQ_NO_BLOCK, 0);
    if (found.state != __CSEQ_THERE)
        return __CSEQ_why(found.state, (unsigned long)block);
    units = __CSEQ_units(block);
    if (!(*__CSEQ_spare(__CSEQ_HEAP_OFFSET(block) / __CSEQ_UNIT + units - 1) & __CSEQ_USERS))
        return __CSEQ_why(__CSEQ_NO_BLOCK, 0);
    return 1;
}

static inline unsigned long __CSEQ_size_made(const volatile void *block)
{
    unsigned long first = __CSEQ_HEAP_OFFSET(block) / __CSEQ_UNIT, units = __CSEQ_units(block);
    return units == 0 ? 0 : __CSEQ_size_of_units(first, first + units - 1);
}

/* Free a block. Blocks that were freed before and that nothing leads to wait no longer; a step begins with this, so the
 * state is all that there is, but not inside an atomic section. */
static inline void __CSEQ_free_made(volatile void *block)
{
    unsigned long size = __CSEQ_size_made(block), step;
    for (unsigned long unit = 0; __cs_depth == 0 && unit < __cs_heap_total / __CSEQ_UNIT; unit += step) {
        unsigned long units = __CSEQ_waiting(unit);
        if (units != 0 && !__CSEQ_is_known((char *)__cs_heap + unit * __CSEQ_UNIT, units * __CSEQ_UNIT))
            __CSEQ_forget(unit, units);
        step = units == 0 ? 1 : units;
    }
    if (block == 0)
        return;
    __CSEQ_changes(block);
    __builtin_memset((void *)block, 0, size + __CSEQ_UNIT);
    __CSEQ_define(block, size + __CSEQ_UNIT);
    __CSEQ_free_waiting(block, "", 0);
}

static inline int __CSEQ_resized_made(void *block, unsigned long size)
{
    unsigned long before = __CSEQ_size_made(block);
    if (!__CSEQ_resized(block, __CSEQ_with_spare(size)))
        return 0;
    if (size > before)
        __CSEQ_undefine((char *)block + before, size - before);
    __CSEQ_made(block, size, __CSEQ_USERS);
    return 1;
}

/* Leaks. */

/* The spare unit of the block that *word* leads to; 0 where it leads to none. */
static inline unsigned char *__CSEQ_led_to(const volatile void *word)
{
    struct __CSEQ_found found;
    unsigned long first = __CSEQ_HEAP_OFFSET(word) / __CSEQ_UNIT, last = first;
    if (!__CSEQ_find_block(word, &found) || found.state != __CSEQ_THERE || !__CSEQ_is_in(word, found.start, found.size))
        return 0;
    __CSEQ_around(&first, &last);
    return __CSEQ_spare(last);
}

/* Whether an aligned word in these bytes leads to the block with this spare unit. */
static inline int __CSEQ_leads(const volatile char *from, unsigned long size, const unsigned char *spare)
{
    unsigned long skip = -(unsigned long)from % sizeof(void *);
    for (; skip + sizeof(void *) <= size; skip += sizeof(void *)) {
        const void *word;
        __builtin_memcpy(&word, (const char *)from + skip, sizeof word);
        if (__CSEQ_led_to(word) == spare)
            return 1;
    }
    return 0;
}

/* Calls what follows for each block, of units first to last. */
#define __CSEQ_EACH_BLOCK(first, last) \
    for (unsigned long first = 0, last; first < __cs_heap_total / __CSEQ_UNIT; first++) \
        if ((__cs_heap_units[first] & (__CSEQ_ALLOCATED | __CSEQ_FIRST)) == (__CSEQ_ALLOCATED | __CSEQ_FIRST) \
            && (last = first + __CSEQ_units(__cs_heap + first * __CSEQ_UNIT) - 1, 1))

/* Whether a block is reached that other blocks lead to. */
static inline int __CSEQ_reach_more(void)
{
    int more = 0;
    __CSEQ_EACH_BLOCK(first, last)
    {
        if (*__CSEQ_spare(last) & __CSEQ_REACHED)
            continue;
        int is_reached = __CSEQ_is_rooted((char *)__cs_heap + first * __CSEQ_UNIT, __CSEQ_size_of_units(first, last));
        __CSEQ_EACH_BLOCK(other, end)
        {
            if (!is_reached && (*__CSEQ_spare(end) & __CSEQ_REACHED))
                is_reached = __CSEQ_leads((char *)__cs_heap + other * __CSEQ_UNIT, __CSEQ_size_of_units(other, end),
                                          __CSEQ_spare(last));
        }
        if (is_reached) {
            *__CSEQ_spare(last) |= __CSEQ_REACHED;
            more = 1;
        }
    }
    return more;
}

/* Whether anything else may lead to the block with this spare unit: another block, or what is not known to be a
 * pointer. */
static inline int __CSEQ_is_held(const unsigned char *spare)
{
    for (unsigned int i = 0; i < __cs_objects_count; i++)
        if (__cs_objects[i].is_users && __CSEQ_leads(__cs_objects[i].start, __cs_objects[i].size, spare))
            return 1;
    __CSEQ_EACH_BLOCK(first, last)
    {
        if (__CSEQ_spare(last) != spare
            && __CSEQ_leads((char *)__cs_heap + first * __CSEQ_UNIT, __CSEQ_size_of_units(first, last), spare))
            return 1;
    }
    return 0;
}

/* The process ends. returns: whether main returns, or the last thread ends. text: the claim that nothing is lost. */
static inline void __CSEQ_process_ends(int returns, const char *text)
{
    int may_be_lost = 0;
    const char *lost = 0;
    while (__CSEQ_reach_more())
        continue;
    __CSEQ_EACH_BLOCK(first, last)
    {
        if (*__CSEQ_spare(last) != __CSEQ_USERS)
            continue;
        may_be_lost = 1;
        if (!__CSEQ_is_held(__CSEQ_spare(last)))
            lost = (char *)__cs_heap + first * __CSEQ_UNIT;
    }
    if (lost && returns && (__CSEQ_alive() & ~__CSEQ_ONLY(0)) == 0) {
        __CSEQ_why(__CSEQ_NOT_FREED, (unsigned long)lost);
        __CSEQ_violate(text);
    }
    if (may_be_lost)
        __CSEQ_coarse(__CSEQ_MAY_BE_LOST);
}

static inline void __CSEQ_thread_ended(unsigned int thread, const char *text)
{
    __CSEQ_changes(__cs_frame_table[thread].start);
    if (__CSEQ_alive() == 0)
        __CSEQ_process_ends(1, text);
}

#endif

/* A monitor of robustness: text that is added after a step program (modules/explicit/encode/robustness_monitor.py).
 *
 * A program is robust if all its execution graphs of RC11 are sequentially consistent. A graph that is not, and none
 * of whose prefixes is so, is a graph of an execution under sequential consistency and one more access: a load or an
 * update that reads from an older store, or a store that comes before one, although a chain of dependent accesses leads
 * from a newer store to the thread. So the monitor keeps, for each thread and location, the newest store that such
 * a chain leads from (*known*), and the oldest one that RC11 lets the thread read from or come after (*seen*). It looks
 * at each access whether there is a store in between (Lahav and Margalit, "Robustness against release/acquire
 * semantics", PLDI 2019; relaxed accesses and fences after Margalit and Lahav, "Verifying observational robustness
 * against a C11-style memory model", POPL 2021).
 *
 * All of this depends only on what comes before the access in the order of dependent accesses, so what commutes in
 * the program commutes here, and reductions of the search stay sound. What RC11 excludes by sequentially consistent
 * accesses and fences (psc) is only counted in part: this makes fewer programs robust.
 *
 * A load of an older store may have no effect: a loop that waits goes on waiting. Such a load can be left out of the
 * graph, and what is left has the same results. So where a load might read from older stores, it is made with the value
 * of each; if the transition then leads back to the state in which it began, nothing is wrong.
 *
 * Positions of stores are only compared. So after each transition those that occur are numbered from 0 on, and the
 * number of states is finite if that of the program is.
 *
 * Defined before this text: __CS_LOCATIONS, how many there may be; __CS_FENCES, __CS_SC_FENCES, __CS_SC, __CS_PLAIN,
 * __CS_SEQUENCES: whether the program has fences, seq_cst fences, seq_cst accesses, accesses that are not atomic, and
 * both release stores and weaker ones; __CS_LOST, the text of the cut. __cs_robust_memory, in the state, is room for
 * the monitor. __cs_try makes a transition. */

/* The monitor has loops, so it is optimised even where the program is not. */
#pragma GCC push_options
#pragma GCC optimize("O2")

enum { __CS_T = __CSEQ_THREADS, __CS_L = __CS_LOCATIONS, __CS_OLDS = 12, __CS_MOST_STATE = 1 << 14 };
enum { __CS_RELAXED = 1, __CS_ACQUIRE = 3, __CS_RELEASE = 4, __CS_ACQ_REL = 5, __CS_SEQ_CST = 6 };
enum { __CS_WRITES = 0, __CS_READS = 1, __CS_ATOMIC = 2, __CS_KINDS = 4 }; /* of accesses, for races */

typedef unsigned char __cs_positions[__CS_L];
typedef unsigned short __cs_set; /* of threads */

/* What happens before a point: of each location, the newest store that is read or made there. fenced: what the psc
 * order of fences adds to that; coming: what it adds at the next fence. knows: for each kind of access, the threads
 * whose last access to a location happens before. */
struct __cs_view {
    __cs_positions seen;
    __cs_positions fenced[__CS_SC_FENCES], coming[__CS_SC_FENCES];
    __cs_set knows[__CS_PLAIN * __CS_KINDS][__CS_L];
};

/* A store that was overwritten. position: that of the newest store up to it that anything refers to. open: whether
 * what came next is no update of it. */
struct __cs_old {
    unsigned long long value;
    unsigned char position, open, unused[6]; /* equal states are equal bytes */
};

struct __cs_location {
    unsigned long long at;
    unsigned int size;
    unsigned char last, is_strong, old_count, has_many, releaser; /* is_strong: whether the last store is seq_cst */
    struct __cs_old olds[__CS_OLDS];
    __cs_set made[__CS_PLAIN * __CS_KINDS]; /* the threads that have made accesses of each kind */
    struct __cs_view message;               /* of the last store */
    struct __cs_view head[__CS_SEQUENCES];  /* of the last release store, which *releaser* - 1 has made */
    __cs_positions known, known_by_readers;
    __cs_positions fenced[__CS_SC_FENCES], fenced_readers[__CS_SC_FENCES];
    __cs_positions strong[__CS_SC], strong_readers[__CS_SC];
};

struct __cs_thread {
    struct __cs_view now, acquired[__CS_FENCES], released[__CS_FENCES];
    __cs_positions known, strong[__CS_SC];
};

struct __cs_monitor {
    unsigned int count;
    struct __cs_thread threads[__CS_T];
    struct __cs_location locations[__CS_L];
};
_Static_assert(sizeof(struct __cs_monitor) <= sizeof __cs_robust_memory, "there is room for the monitor");
#define __cs_robust (*(struct __cs_monitor *)__cs_robust_memory)

static char __cs_before[__CS_MOST_STATE]; /* the state before the transition */
static struct {
    int is_copied, has_changed;
    int reads_old, is_open; /* this transition reads from an older store; whether an update could */
} __cs_alternative;

#define __CS_ALL_LOCATIONS(i) for (unsigned int i = 0; i < __cs_robust.count; i++)

static void __cs_lost(void) { __CSEQ_cut(__CS_LOST); }

static void __cs_join(unsigned char *to, const unsigned char *from)
{
    __CS_ALL_LOCATIONS(i)
    if (to[i] < from[i])
        to[i] = from[i];
}

static void __cs_join_view(struct __cs_view *to, const struct __cs_view *from)
{
    __cs_join(to->seen, from->seen);
    for (int i = 0; i < __CS_SC_FENCES; i++) {
        __cs_join(to->fenced[i], from->fenced[i]);
        __cs_join(to->coming[i], from->coming[i]);
    }
    for (int kind = 0; kind < __CS_PLAIN * __CS_KINDS; kind++)
        __CS_ALL_LOCATIONS(i)
    to->knows[kind][i] |= from->knows[kind][i];
}

/* For each array with an element for each location. */
static void __cs_each_positions(void (*call)(unsigned char *, unsigned int), unsigned int where)
{
    for (unsigned int t = 0; t < __CS_T; t++) {
        struct __cs_thread *thread = &__cs_robust.threads[t];
        call(thread->known, where);
        for (int i = 0; i < __CS_SC; i++)
            call(thread->strong[i], where);
    }
    __CS_ALL_LOCATIONS(l)
    {
        struct __cs_location *location = &__cs_robust.locations[l];
        call(location->known, where);
        call(location->known_by_readers, where);
        for (int i = 0; i < __CS_SC_FENCES; i++) {
            call(location->fenced[i], where);
            call(location->fenced_readers[i], where);
        }
        for (int i = 0; i < __CS_SC; i++) {
            call(location->strong[i], where);
            call(location->strong_readers[i], where);
        }
    }
}

static void __cs_each_view(void (*call)(struct __cs_view *, unsigned int), unsigned int where)
{
    for (unsigned int t = 0; t < __CS_T; t++) {
        struct __cs_thread *thread = &__cs_robust.threads[t];
        call(&thread->now, where);
        for (int i = 0; i < __CS_FENCES; i++) {
            call(&thread->acquired[i], where);
            call(&thread->released[i], where);
        }
    }
    __CS_ALL_LOCATIONS(l)
    {
        call(&__cs_robust.locations[l].message, where);
        for (int i = 0; i < __CS_SEQUENCES; i++)
            call(&__cs_robust.locations[l].head[i], where);
    }
}

/* Locations. They are in the order of their addresses, so that equal states are equal bytes. */

static void __cs_make_room(unsigned char *positions, unsigned int where)
{
    for (unsigned int i = __CS_L - 1; i > where; i--)
        positions[i] = positions[i - 1];
    positions[where] = 0;
}

static void __cs_make_room_in_view(struct __cs_view *view, unsigned int where)
{
    __cs_make_room(view->seen, where);
    for (int i = 0; i < __CS_SC_FENCES; i++) {
        __cs_make_room(view->fenced[i], where);
        __cs_make_room(view->coming[i], where);
    }
    for (int kind = 0; kind < __CS_PLAIN * __CS_KINDS; kind++) {
        for (unsigned int i = __CS_L - 1; i > where; i--)
            view->knows[kind][i] = view->knows[kind][i - 1];
        view->knows[kind][where] = 0;
    }
}

static void __cs_access_block(const volatile void *at, int kind);

/* The number of the location of *size* bytes at *at*. */
static unsigned int __cs_locate(const volatile void *at, unsigned int size)
{
    unsigned long long address = (unsigned long)at;
    unsigned int where = 0;

    __cs_alternative.has_changed = 1;
    while (where < __cs_robust.count && __cs_robust.locations[where].at < address)
        where++;
    if (where < __cs_robust.count && __cs_robust.locations[where].at == address) {
        if (__cs_robust.locations[where].size != size)
            __cs_lost();
        return where;
    }
    if (__cs_robust.count == __CS_L)
        __cs_lost();
    if (where > 0 && __cs_robust.locations[where - 1].at + __cs_robust.locations[where - 1].size > address)
        __cs_lost();
    if (where < __cs_robust.count && address + size > __cs_robust.locations[where].at)
        __cs_lost();
    __cs_each_positions(__cs_make_room, where);
    __cs_each_view(__cs_make_room_in_view, where);
    for (unsigned int i = __cs_robust.count; i > where; i--)
        __cs_robust.locations[i] = __cs_robust.locations[i - 1];
    __builtin_memset(&__cs_robust.locations[where], 0, sizeof *__cs_robust.locations);
    __cs_robust.locations[where].at = address;
    __cs_robust.locations[where].size = size;
    __cs_robust.count++;
    return where;
}

/* The same for memory that may be in a block, which is accessed, too. */
static unsigned int __cs_locate_in_block(const volatile void *at, unsigned int size)
{
    __cs_access_block(at, __CS_READS);
    return __cs_locate(at, size);
}

/* Only the order of positions counts. No thread reads from a store that is older than one that all have seen. */

static unsigned char __cs_new_number[256];

static void __cs_mark_used(unsigned char *positions, unsigned int where) { __cs_new_number[positions[where]] = 1; }
static void __cs_mark_view(struct __cs_view *view, unsigned int where)
{
    __cs_mark_used(view->seen, where);
    for (int i = 0; i < __CS_SC_FENCES; i++) {
        __cs_mark_used(view->fenced[i], where);
        __cs_mark_used(view->coming[i], where);
    }
}
static void __cs_renumber(unsigned char *positions, unsigned int where)
{
    positions[where] = __cs_new_number[positions[where]];
}
static void __cs_renumber_view(struct __cs_view *view, unsigned int where)
{
    __cs_renumber(view->seen, where);
    for (int i = 0; i < __CS_SC_FENCES; i++) {
        __cs_renumber(view->fenced[i], where);
        __cs_renumber(view->coming[i], where);
    }
}

static int __cs_is_before(const struct __cs_old *one, const struct __cs_old *other)
{
    if (one->position != other->position)
        return one->position < other->position;
    return one->value != other->value ? one->value < other->value : one->open < other->open;
}

static void __cs_normalise(unsigned int where, unsigned long long alive)
{
    struct __cs_location *location = &__cs_robust.locations[where];
    unsigned int least = 255, next = 0, kept = 0;

    if (location->last == 0)
        return;
    for (unsigned int t = 0; t < __CS_T; t++)
        if ((alive >> t & 1) && __cs_robust.threads[t].now.seen[where] < least)
            least = __cs_robust.threads[t].now.seen[where];
    __builtin_memset(__cs_new_number, 0, sizeof __cs_new_number);
    __cs_each_positions(__cs_mark_used, where);
    __cs_each_view(__cs_mark_view, where);
    __cs_new_number[location->last] = 1;
    for (unsigned int i = 0; i < 256; i++) {
        int is_used = __cs_new_number[i] && i > least;
        next += is_used;
        __cs_new_number[i] = next; /* of the newest one in use up to it */
    }
    __cs_each_positions(__cs_renumber, where);
    __cs_each_view(__cs_renumber_view, where);
    for (unsigned int i = 0; i < location->old_count; i++) {
        struct __cs_old old = location->olds[i];
        unsigned int place = kept, same = 0;
        if (old.position < least)
            continue;
        old.position = __cs_new_number[old.position];
        while (place > 0 && !__cs_is_before(&location->olds[place - 1], &old)) {
            same |= !__cs_is_before(&old, &location->olds[place - 1]);
            place--;
        }
        if (same)
            continue;
        for (unsigned int k = kept; k > place; k--)
            location->olds[k] = location->olds[k - 1];
        location->olds[place] = old;
        kept++;
    }
    for (unsigned int i = kept; i < location->old_count; i++)
        __builtin_memset(&location->olds[i], 0, sizeof *location->olds);
    location->old_count = kept;
    if (__cs_new_number[location->last] == 0)
        location->has_many = 0;
    location->last = __cs_new_number[location->last];
}

/* The state without the monitor. */

static unsigned long __cs_size_before(void) { return (char *)__cs_robust_memory - __start_cseq_state; }
static unsigned long __cs_size_after(void) { return __stop_cseq_state - (char *)(&__cs_robust_memory + 1); }
static int __cs_is_large(void) { return __cs_size_before() + __cs_size_after() > __CS_MOST_STATE; }

/* Accesses. */

static unsigned long long __cs_value_at(const volatile void *at, unsigned int size)
{
    unsigned long long value = 0;
    if (size <= sizeof value)
        __builtin_memcpy(&value, (const void *)at, size);
    return value;
}

/* The oldest store to the location that the thread may read from. */
static unsigned int __cs_oldest(const struct __cs_thread *thread, unsigned int where, int order)
{
    unsigned int oldest = thread->now.seen[where];
    for (int i = 0; i < __CS_SC_FENCES; i++)
        if (oldest < thread->now.fenced[i][where])
            oldest = thread->now.fenced[i][where];
    for (int i = 0; i < __CS_SC; i++)
        if (order == __CS_SEQ_CST && oldest < thread->strong[i][where])
            oldest = thread->strong[i][where];
    return oldest;
}

/* An access to a location that is not atomic, or to one that has such accesses. */
static void __cs_check_races(unsigned int t, struct __cs_location *location, unsigned int where, int kind)
{
    struct __cs_thread *thread = &__cs_robust.threads[t];
    __cs_set me = 1 << t;

    for (int other = 0; other < __CS_PLAIN * __CS_KINDS; other++) {
        int conflicts =
            !((kind & __CS_READS) && (other & __CS_READS)) && !((kind & __CS_ATOMIC) && (other & __CS_ATOMIC));
        if (conflicts && (location->made[other] & ~thread->now.knows[other][where] & ~me))
            __cs_lost();
    }
}

static void __cs_forget_access(struct __cs_view *view, unsigned int where)
{
    unsigned int kind = where >> 16, t = where >> 8 & 255;
    if (__CS_PLAIN)
        view->knows[kind][where & 255] &= ~(1 << t);
}

static void __cs_note_access(unsigned int t, struct __cs_location *location, unsigned int where, int kind)
{
    if (!__CS_PLAIN)
        return;
    if (kind == __CS_WRITES) /* all others happen before it */
        for (int other = 0; other < __CS_KINDS; other++) {
            for (unsigned int u = 0; u < __CS_T; u++)
                if (location->made[other] >> u & 1)
                    __cs_each_view(__cs_forget_access, other << 16 | u << 8 | where);
            location->made[other] = 0;
        }
    __cs_each_view(__cs_forget_access, kind << 16 | t << 8 | where);
    location->made[kind] |= 1 << t;
    __cs_robust.threads[t].now.knows[kind][where] |= 1 << t;
}

static int __cs_acquires(int order) { return order != 0 && order != __CS_RELAXED && order != __CS_RELEASE; }
static int __cs_releases(int order) { return order >= __CS_RELEASE; }

static void __cs_reads(unsigned int t, struct __cs_location *location, unsigned int where, int order)
{
    struct __cs_thread *thread = &__cs_robust.threads[t];

    thread->now.seen[where] = location->last;
    if (__cs_acquires(order))
        __cs_join_view(&thread->now, &location->message);
    for (int i = 0; i < __CS_FENCES && order != 0; i++)
        __cs_join_view(&thread->acquired[i], &location->message);
    for (int i = 0; i < __CS_SC_FENCES; i++) {
        __cs_join(thread->now.coming[i], location->fenced[i]);
        __cs_join(location->fenced_readers[i], thread->now.fenced[i]);
    }
    __cs_join(thread->known, location->known);
    __cs_join(location->known_by_readers, thread->known);
    for (int i = 0; i < __CS_SC && order == __CS_SEQ_CST; i++) {
        if (location->is_strong)
            __cs_join(thread->strong[i], location->strong[i]);
        __cs_join(location->strong_readers[i], thread->strong[i]);
    }
}

/* is_update: the message of the store that it reads from goes on. is_counted: the store has a position. */
static void __cs_writes(unsigned int t, struct __cs_location *location, unsigned int where, int order, int is_update,
                        int is_counted)
{
    struct __cs_thread *thread = &__cs_robust.threads[t];
    struct __cs_view message;

    if (is_counted) {
        if (location->last >= 200)
            __cs_lost();
        if (location->old_count == __CS_OLDS)
            location->has_many = 1;
        else if (!location->has_many)
            location->olds[location->old_count++] = (struct __cs_old){
                __cs_value_at((const void *)(unsigned long)location->at, location->size), location->last, !is_update};
        if (location->has_many) {
            __builtin_memset(location->olds, 0, sizeof location->olds);
            location->old_count = 0;
        }
        location->last++;
        thread->now.seen[where] = location->last;
    }
    for (int i = 0; i < __CS_SC_FENCES; i++) {
        __cs_join(thread->now.coming[i], location->fenced[i]);
        __cs_join(thread->now.coming[i], location->fenced_readers[i]);
        __cs_join(location->fenced[i], location->fenced_readers[i]);
        __cs_join(location->fenced[i], thread->now.fenced[i]);
        __builtin_memset(location->fenced_readers[i], 0, __CS_L);
    }
    __builtin_memset(&message, 0, sizeof message);
    if (is_update)
        message = location->message;
    if (__cs_releases(order))
        __cs_join_view(&message, &thread->now);
    for (int i = 0; i < __CS_FENCES && order != 0; i++)
        __cs_join_view(&message, &thread->released[i]);
    for (int i = 0; i < __CS_SEQUENCES && is_counted; i++) { /* a later store of a thread that released goes on */
        if (__cs_releases(order)) {
            location->head[i] = thread->now;
            location->releaser = t + 1;
        } else if (order != 0 && location->releaser == t + 1)
            __cs_join_view(&message, &location->head[i]);
    }
    if (is_counted)
        message.seen[where] = location->last;
    location->message = message;
    __cs_join(thread->known, location->known);
    __cs_join(thread->known, location->known_by_readers);
    if (is_counted)
        thread->known[where] = location->last;
    __builtin_memcpy(location->known, thread->known, __CS_L);
    __builtin_memset(location->known_by_readers, 0, __CS_L);
    for (int i = 0; i < __CS_SC; i++) {
        if (order == __CS_SEQ_CST) {
            __cs_join(thread->strong[i], location->strong[i]);
            __cs_join(thread->strong[i], location->strong_readers[i]);
            thread->strong[i][where] = location->last;
            __builtin_memcpy(location->strong[i], thread->strong[i], __CS_L);
            __builtin_memset(location->strong_readers[i], 0, __CS_L);
        }
        location->is_strong = order == __CS_SEQ_CST;
    }
}

/* Have the access read from one of the older stores, or from the last one. only_open: it is an update for sure. */
static void __cs_choose_store(struct __cs_location *location, unsigned int oldest, unsigned int newest, int only_open)
{
    unsigned long long values[__CS_OLDS];
    int is_open[__CS_OLDS];
    unsigned int count = 0, chosen;

    if (location->has_many)
        __cs_lost();
    for (unsigned int i = 0; i < location->old_count; i++) {
        struct __cs_old *old = &location->olds[i];
        unsigned int k = 0;
        if (old->position < oldest || old->position >= newest || (only_open && !old->open))
            continue;
        while (k < count && values[k] != old->value)
            k++;
        if (k == count) {
            values[count] = old->value;
            is_open[count++] = 0;
        }
        is_open[k] |= old->open;
    }
    if (count == 0)
        return;
    if (only_open || location->size > sizeof *values || __cs_is_large())
        __cs_lost();
    chosen = (unsigned int)__CSEQ_choose(count + 1);
    if (chosen == 0)
        return;
    __cs_alternative.reads_old = 1;
    __cs_alternative.is_open = is_open[chosen - 1];
    __builtin_memcpy((void *)(unsigned long)location->at, &values[chosen - 1], location->size);
}

/* Whether a store between *oldest* and *newest* can be followed by another one. */
static int __cs_is_open(const struct __cs_location *location, unsigned int oldest, unsigned int newest)
{
    if (location->has_many)
        return oldest < newest;
    for (unsigned int i = 0; i < location->old_count; i++)
        if (location->olds[i].position >= oldest && location->olds[i].position < newest && location->olds[i].open)
            return 1;
    return 0;
}

/* The functions that the program calls before its accesses. order: as in Order (modules/ir/instructions.py), 0 where
 * it is not atomic. races: whether the location may have accesses that are not atomic. */

static void __cs_robust_load(const volatile void *at, unsigned long size, int order, int races)
{
    unsigned int where = __cs_locate_in_block(at, size), t = __CSEQ_thread;
    struct __cs_location *location = &__cs_robust.locations[where];
    unsigned int oldest = __cs_oldest(&__cs_robust.threads[t], where, order);
    unsigned int newest = __cs_robust.threads[t].known[where];

    if (races)
        __cs_check_races(t, location, where, __CS_READS | (order ? __CS_ATOMIC : 0));
    if (oldest < newest && order == 0)
        __cs_lost();
    if (oldest < newest)
        __cs_choose_store(location, oldest, newest, 0);
    if (__cs_alternative.reads_old)
        return;
    __cs_reads(t, location, where, order);
    if (races)
        __cs_note_access(t, location, where, __CS_READS | (order ? __CS_ATOMIC : 0));
}

static void __cs_robust_store(const volatile void *at, unsigned long size, int order, int races)
{
    unsigned int where = __cs_locate_in_block(at, size), t = __CSEQ_thread;
    struct __cs_location *location = &__cs_robust.locations[where];
    unsigned int oldest = __cs_oldest(&__cs_robust.threads[t], where, order);

    if (races)
        __cs_check_races(t, location, where, __CS_WRITES | (order ? __CS_ATOMIC : 0));
    if (__cs_is_open(location, oldest, __cs_robust.threads[t].known[where]))
        __cs_lost();
    if (races)
        __cs_note_access(t, location, where, __CS_WRITES | (order ? __CS_ATOMIC : 0));
    __cs_writes(t, location, where, order, 0, 1);
}

/* An update that stores in any case. */
static void __cs_robust_update(const volatile void *at, unsigned long size, int order, int races)
{
    unsigned int where = __cs_locate_in_block(at, size), t = __CSEQ_thread;
    struct __cs_location *location = &__cs_robust.locations[where];
    unsigned int oldest = __cs_oldest(&__cs_robust.threads[t], where, order);

    if (__cs_alternative.reads_old) { /* a compare-exchange that succeeds with the value of an older store */
        if (!__cs_alternative.is_open)
            __CSEQ_drop();
        __cs_lost();
    }
    if (races)
        __cs_check_races(t, location, where, __CS_WRITES | __CS_ATOMIC);
    if (__cs_is_open(location, oldest, __cs_robust.threads[t].known[where]))
        __cs_lost();
    __cs_reads(t, location, where, order);
    if (races)
        __cs_note_access(t, location, where, __CS_WRITES | __CS_ATOMIC);
    __cs_writes(t, location, where, order, 1, 1);
}

/* A compare-exchange begins, which may succeed or fail: the access that it makes comes next. */
static void __cs_robust_compare(const volatile void *at, unsigned long size, int success, int failure)
{
    unsigned int where = __cs_locate_in_block(at, size);
    struct __cs_thread *thread = &__cs_robust.threads[__CSEQ_thread];
    unsigned int one = __cs_oldest(thread, where, success), other = __cs_oldest(thread, where, failure);
    unsigned int newest = thread->known[where];

    if (one > other)
        one = other;
    if (one < newest)
        __cs_choose_store(&__cs_robust.locations[where], one, newest, 0);
}

/* It fails: *at* was only read. The older stores that it could have read from were tried before. */
static void __cs_robust_failed(const volatile void *at, unsigned long size, int order, int races)
{
    unsigned int where = __cs_locate_in_block(at, size), t = __CSEQ_thread;
    struct __cs_location *location = &__cs_robust.locations[where];

    if (__cs_alternative.reads_old)
        return;
    if (races)
        __cs_check_races(t, location, where, __CS_READS | __CS_ATOMIC);
    __cs_reads(t, location, where, order);
    if (races)
        __cs_note_access(t, location, where, __CS_READS | __CS_ATOMIC);
}

static void __cs_robust_fence(int order)
{
    struct __cs_thread *thread = &__cs_robust.threads[__CSEQ_thread];

    __cs_alternative.has_changed = 1;
    for (int i = 0; i < __CS_FENCES && __cs_acquires(order); i++)
        __cs_join_view(&thread->now, &thread->acquired[i]);
    for (int i = 0; i < __CS_SC_FENCES && order == __CS_SEQ_CST; i++) {
        __cs_join(thread->now.fenced[i], thread->now.coming[i]);
        __cs_join(thread->now.fenced[i], thread->now.seen);
    }
    for (int i = 0; i < __CS_FENCES && __cs_releases(order); i++)
        thread->released[i] = thread->now;
}

/* A step of the thread library on one of its objects: an update. No other accesses to it count, so nothing comes
 * between two updates, and stores need no positions. kind: not 0 for a mutex that may fail. */
static void __cs_robust_step(const volatile void *at, unsigned long size, int order, int kind)
{
    unsigned int where = __cs_locate_in_block(at, size), t = __CSEQ_thread;
    struct __cs_location *location = &__cs_robust.locations[where];

    if (kind)
        __cs_lost();
    __cs_reads(t, location, where, order);
    __cs_writes(t, location, where, order, 1, 0);
}

/* A thread is about to be created: it gets the first number that is free. */
static void __cs_robust_create(void)
{
    unsigned int next = 0;
    struct __cs_thread *creator = &__cs_robust.threads[__CSEQ_thread], *created;

    while (next < __CS_T && __cs_active[next])
        next++;
    if (next == __CS_T)
        return;
    created = &__cs_robust.threads[next];
    __builtin_memset(created, 0, sizeof *created);
    __CS_ALL_LOCATIONS(i)
    if (__cs_robust.locations[i].releaser == next + 1)
        __cs_robust.locations[i].releaser = 0;
    created->now = creator->now;
    __builtin_memcpy(created->known, creator->known, sizeof created->known);
}

/* A thread is about to be joined. If it has not ended, the call waits. */
static void __cs_robust_join(unsigned long thread)
{
    unsigned int number = (unsigned int)__CSEQ_of(thread);
    struct __cs_thread *joins = &__cs_robust.threads[__CSEQ_thread], *joined = &__cs_robust.threads[number];

    if (!__cs_finished[number] || joins == joined)
        return;
    __cs_alternative.has_changed = 1;
    __cs_join_view(&joins->now, &joined->now);
    __cs_join(joins->known, joined->known);
    __builtin_memset(joined, 0, sizeof *joined);
}

#if __CS_HEAP
/* Memory that is allocated has a location of its own for the block, at an address that nothing else has: to allocate
 * and to free it are stores there, and each access to the block is a load. */

static const volatile void *__cs_block_of(const volatile void *at)
{
    unsigned long offset = __CSEQ_HEAP_OFFSET(at), unit = offset / __CSEQ_UNIT;
    if (offset >= __cs_heap_total)
        return 0;
    while (unit > 0 && !(__cs_heap_units[unit] & __CSEQ_FIRST))
        unit--;
    return (const volatile void *)((unsigned long)(__cs_heap + unit * __CSEQ_UNIT) | 1UL << 62);
}

static void __cs_access_block(const volatile void *at, int kind)
{
    const volatile void *block = __cs_block_of(at);
    if (block) {
        unsigned int where = __cs_locate(block, 1), t = __CSEQ_thread;
        __cs_check_races(t, &__cs_robust.locations[where], where, kind);
        __cs_note_access(t, &__cs_robust.locations[where], where, kind);
    }
}

static void __cs_robust_allocated(const volatile void *at)
{
    if (at)
        __cs_access_block(at, __CS_WRITES);
}

static void __cs_take_away(unsigned char *positions, unsigned int where)
{
    __builtin_memmove(positions + where, positions + where + 1, __CS_L - 1 - where);
    positions[__CS_L - 1] = 0;
}

static void __cs_take_away_from_view(struct __cs_view *view, unsigned int where)
{
    __cs_take_away(view->seen, where);
    for (int i = 0; i < __CS_SC_FENCES; i++) {
        __cs_take_away(view->fenced[i], where);
        __cs_take_away(view->coming[i], where);
    }
    for (int kind = 0; kind < __CS_PLAIN * __CS_KINDS; kind++) {
        __builtin_memmove(&view->knows[kind][where], &view->knows[kind][where + 1],
                          (__CS_L - 1 - where) * sizeof **view->knows);
        view->knows[kind][__CS_L - 1] = 0;
    }
}

/* What was in the block is forgotten: all accesses to it happen before. */
static void __cs_robust_freed(const volatile void *at)
{
    unsigned long first = (unsigned long)at, end = first + __CSEQ_units(at) * __CSEQ_UNIT;

    if (!at)
        return;
    __cs_access_block(at, __CS_WRITES);
    for (unsigned int i = __cs_robust.count; i-- > 0;)
        if (__cs_robust.locations[i].at >= first && __cs_robust.locations[i].at < end) {
            __cs_each_positions(__cs_take_away, i);
            __cs_each_view(__cs_take_away_from_view, i);
            __builtin_memmove(&__cs_robust.locations[i], &__cs_robust.locations[i + 1],
                              (__CS_L - 1 - i) * sizeof *__cs_robust.locations);
            __builtin_memset(&__cs_robust.locations[__CS_L - 1], 0, sizeof *__cs_robust.locations);
            __cs_robust.count--;
        }
}

#else
static void __cs_access_block(const volatile void *at, int kind) {}
#endif

/* A transition, and what was left out of it. */

static int __cs_has_no_effect(void)
{
    return !__builtin_memcmp(__cs_before, __start_cseq_state, __cs_size_before())
        && !__builtin_memcmp(__cs_before + __cs_size_before(), (char *)(&__cs_robust_memory + 1), __cs_size_after());
}

void __CSEQ_step(unsigned int thread)
{
    unsigned long long alive = __CSEQ_alive();
    int may_choose = 0;

    __CS_ALL_LOCATIONS(i)
    may_choose |= __cs_robust.threads[thread].known[i] > __cs_robust.threads[thread].now.seen[i];
    if (may_choose && !__cs_is_large()) {
        __builtin_memcpy(__cs_before, __start_cseq_state, __cs_size_before());
        __builtin_memcpy(__cs_before + __cs_size_before(), (char *)(&__cs_robust_memory + 1), __cs_size_after());
    }
    __builtin_memset(&__cs_alternative, 0, sizeof __cs_alternative);
    __cs_alternative.is_copied = may_choose;
    __cs_try(thread);
    if (__cs_alternative.reads_old) {
        if (!__cs_alternative.is_copied || !__cs_has_no_effect())
            __cs_lost();
        __CSEQ_drop();
    }
    if (__cs_alternative.has_changed || alive != __CSEQ_alive())
        __CS_ALL_LOCATIONS(i) __cs_normalise(i, __CSEQ_alive());
}
#pragma GCC pop_options

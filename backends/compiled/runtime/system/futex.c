/* Futexes as programs and libstdc++ use them: through `syscall`. Those of glibc are inline and never come here. */
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <unistd.h>

#include "objects.h"
#include "raw.h"
#include "system.h"

#define SECOND 1000000000u

/* A thread that waits at a word. */
struct wait {
    uint64_t word; /* 0: it does not wait */
    uint64_t turn; /* who came first */
    uint32_t bits;
    bool woken;
};

static struct wait waits[CS_MOST_THREADS];
static uint64_t turns;

uint64_t cs_elapsed(const struct timespec *interval)
{
    return interval == NULL ? CS_NEVER : cs_now + (uint64_t)interval->tv_sec * SECOND + (uint64_t)interval->tv_nsec;
}

static bool is_woken(struct cs_thread *self, void *wait)
{
    (void)self;
    return ((struct wait *)wait)->woken;
}

static long wait_at(struct cs_thread *self, uint32_t *word, uint32_t expected, uint64_t deadline, uint32_t bits)
{
    if (bits == 0) {
        return -EINVAL;
    }
    cs_step(CS_futex_wait, word, expected);
    uint32_t value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    if (value != expected) {
        cs_done(self, value, CS_FAILED);
        return -EAGAIN;
    }
    cs_done(self, value, 0);
    struct wait *wait = &waits[self->number];
    *wait = (struct wait){.word = (uint64_t)word, .turn = ++turns, .bits = bits};
    bool woken = cs_block(CS_futex_return, word, 0, is_woken, wait, deadline);
    wait->word = 0;
    if (!woken) {
        cs_done(self, (uint64_t)ETIMEDOUT, CS_FAILED);
        return -ETIMEDOUT;
    }
    cs_acquire(self, &cs_object(CS_KIND_FUTEX, word)->clock);
    return 0;
}

/* Those who wait at a word and have one of the bits, first come first. */
static uint32_t waiting_at(const uint32_t *word, uint32_t bits, uint16_t *found)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        const struct wait *wait = &waits[n];
        if (wait->word != (uint64_t)word || wait->woken || (wait->bits & bits) == 0) {
            continue;
        }
        uint32_t place = count++;
        for (; place > 0 && waits[found[place - 1]].turn > wait->turn; place--) {
            found[place] = found[place - 1];
        }
        found[place] = (uint16_t)n;
    }
    return count;
}

static uint32_t take(uint16_t *found, uint32_t count, uint16_t number)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (found[n] != number) {
            found[kept++] = found[n];
        }
    }
    return kept;
}

/* Wake at most `most` of those who wait at `word`, and move at most `moved` of the others to `target`. */
static long wake_at(struct cs_thread *self, uint32_t *word, uint32_t most, uint32_t bits, uint32_t moved, void *target)
{
    uint16_t found[CS_MOST_THREADS];
    uint32_t count = waiting_at(word, bits, found);
    uint32_t woken = 0;
    if (count > 0) {
        cs_release(self, &cs_object(CS_KIND_FUTEX, word)->clock);
    }
    while (count > 0 && woken < most) {
        bool all = count <= most - woken;
        uint16_t number = all ? found[0] : (uint16_t)cs_choose(CS_CHOICE_WAITER, found, count);
        waits[number].woken = true;
        count = take(found, count, number);
        woken++;
    }
    uint32_t requeued = 0;
    for (; requeued < count && requeued < moved; requeued++) {
        waits[found[requeued]].word = (uint64_t)target;
        cs_threads[found[requeued]]->next.object = (uint64_t)target;
    }
    cs_done(self, woken, woken + requeued > 0 ? 0 : CS_FAILED);
    return woken + requeued;
}

static long requeue(struct cs_thread *self, uint32_t *word, uint32_t most, uint32_t moved, void *target, bool compare,
                    uint32_t expected)
{
    cs_step(CS_futex_wake, word, most);
    if (compare && __atomic_load_n(word, __ATOMIC_SEQ_CST) != expected) {
        cs_done(self, 0, CS_FAILED);
        return -EAGAIN;
    }
    return wake_at(self, word, most, FUTEX_BITSET_MATCH_ANY, moved, target);
}

static long futex(struct cs_thread *self, const long *given)
{
    uint32_t *word = (uint32_t *)given[0];
    int operation = (int)given[1] & FUTEX_CMD_MASK;
    uint32_t value = (uint32_t)given[2];
    const struct timespec *time = (const struct timespec *)given[3];
    clockid_t clock = given[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    switch (operation) {
    case FUTEX_WAIT:
        return wait_at(self, word, value, cs_elapsed(time), FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAIT_BITSET:
        return wait_at(self, word, value, cs_deadline(clock, time), (uint32_t)given[5]);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        cs_step(CS_futex_wake, word, value);
        return wake_at(self, word, value, operation == FUTEX_WAKE ? FUTEX_BITSET_MATCH_ANY : (uint32_t)given[5], 0,
                       NULL);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        return requeue(self, word, value, (uint32_t)given[3], (void *)given[4], operation == FUTEX_CMP_REQUEUE,
                       (uint32_t)given[5]);
    default:
        cs_end(CS_END_unhandled, operation, word, 0, "futex");
    }
}

CS_PUBLIC long syscall(long number, ...)
{
    long given[6];
    va_list arguments;
    va_start(arguments, number);
    for (int n = 0; n < 6; n++) {
        given[n] = va_arg(arguments, long);
    }
    va_end(arguments);
    struct cs_thread *self = cs_self;
    long result;
    if (number != SYS_futex || self == NULL || self->inside) {
        result = cs_syscall(number, given[0], given[1], given[2], given[3], given[4], given[5]);
    } else {
        self->inside = true;
        cs_called_from(self, __builtin_return_address(0));
        result = futex(self, given);
        self->inside = false;
    }
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

/* The scheduler: who has the baton, what is recorded, and how a run ends. */
#include <linux/futex.h>
#include <signal.h>
#include <string.h>

#include "raw.h"
#include "strategies.h"

#define TICK 1000 /* virtual nanoseconds of a visible operation */

uint64_t cs_now = 1000000000;
uint64_t cs_alarm = CS_NEVER;
uint64_t cs_arrived;
struct cs_hooks cs_hooks;
bool cs_debugged;

static int dying;     /* the kernel's number of a thread that has given the baton away and is about to disappear */
static uint32_t used; /* choices of `given` */

static struct cs_choice *given(void) { return (struct cs_choice *)((char *)cs_shared + cs_shared->given.offset); }

/* ---- the baton ---- */

static void give(struct cs_thread *thread)
{
    __atomic_store_n(&thread->go, 1, __ATOMIC_RELEASE);
    CS_SYSCALL3(SYS_futex, &thread->go, FUTEX_WAKE_PRIVATE, 1);
}

void cs_await_baton(struct cs_thread *self)
{
    while (__atomic_load_n(&self->go, __ATOMIC_ACQUIRE) == 0) {
        CS_SYSCALL4(SYS_futex, &self->go, FUTEX_WAIT_PRIVATE, 0, 0);
    }
    self->go = 0;
    /* What a thread does in libc after its last destructor, such as giving its heap back, must be over. */
    int process = (int)CS_SYSCALL1(SYS_getpid, 0);
    while (dying != 0 && CS_SYSCALL3(SYS_tgkill, process, dying, 0) == 0) {
        CS_SYSCALL1(SYS_sched_yield, 0);
    }
    dying = 0;
}

/* ---- choices ---- */

static void note(enum cs_choice_kind kind, uint32_t value, uint32_t count)
{
    struct cs_shared *shared = cs_shared;
    if (shared->result.choices >= shared->choices.capacity) {
        cs_end(CS_END_log, 0, NULL, 0, NULL);
    }
    struct cs_choice *choices = (struct cs_choice *)((char *)shared + shared->choices.offset);
    uint32_t number = shared->result.choices;
    choices[number] =
        (struct cs_choice){.kind = kind, .alternatives = count < 255 ? count : 255, .value = (uint16_t)value};
    __atomic_store_n(&shared->result.choices, number + 1, __ATOMIC_RELEASE);
}

/* The prescribed choice that comes next, if it is of this kind and possible; else -1. */
static int prescribed(enum cs_choice_kind kind, const uint16_t *options, uint32_t count)
{
    const struct cs_request *request = &cs_shared->request;
    while (used < request->prescribed) {
        const struct cs_choice *choice = &given()[used];
        bool strict = (request->flags & CS_STRICT) != 0;
        if (choice->kind != kind && !strict) {
            if (choice->kind == CS_CHOICE_THREAD) {
                return -1; /* it is for a later question */
            }
            used++;
            continue;
        }
        used++;
        if (used == request->prescribed && request->flags & CS_SLEEP_SETS) {
            cs_sleep_begin(request->asleep);
        }
        for (uint32_t n = 0; n < count && choice->kind == kind; n++) {
            if (options[n] == choice->value) {
                return choice->value;
            }
        }
        if (strict) {
            cs_end(CS_END_diverged, (int)used - 1, NULL, 0, NULL);
        }
        if (kind != CS_CHOICE_THREAD) {
            return -1;
        }
    }
    return -1;
}

/* likely: the first of the positions that the strategy takes one of, and their number. */
static uint32_t choose_among(enum cs_choice_kind kind, const uint16_t *options, uint32_t count, uint32_t likely,
                             uint32_t number)
{
    if (count == 1) {
        return options[0];
    }
    uint16_t positions[count];
    for (uint32_t n = 0; n < count; n++) {
        positions[n] = (uint16_t)n;
    }
    int chosen = prescribed(kind, positions, count);
    if (chosen < 0) {
        bool first = (cs_shared->request.flags & CS_SLEEP_SETS) != 0;
        chosen = first ? 0 : (int)(likely + cs_random(number));
    }
    note(kind, (uint32_t)chosen, count);
    cs_trace_chooses(kind, (uint32_t)chosen);
    return options[chosen];
}

uint32_t cs_choose(enum cs_choice_kind kind, const uint16_t *options, uint32_t count)
{
    return choose_among(kind, options, count, 0, count);
}

uint32_t cs_choose_store(struct cs_thread *self, const uint16_t *options, uint32_t count)
{
    uint32_t likely = 0, number = count;
    cs_strategy_reads(self, &likely, &number);
    return choose_among(CS_CHOICE_STORE, options, count, likely, number);
}

uint32_t cs_choose_first(enum cs_choice_kind kind)
{
    static const uint16_t first[] = {0};
    prescribed(kind, first, 1);
    note(kind, 0, 1);
    cs_trace_chooses(kind, 0);
    return 0;
}

/* ---- who can go on ---- */

#define LONGEST_SLEEP 5000 /* operations of others before a thread that sleeps wakes up, whatever the time */
#define LONGEST_YIELD 200  /* operations of others before a thread that has given way goes on in spite of them */

static bool is_ready(struct cs_thread *thread)
{
    return thread->next.ready == NULL || thread->next.ready(thread, thread->next.subject);
}

/* A new thread begins first. */
static bool handles_signal(const struct cs_thread *thread) { return thread->signalled && thread->next.op != CS_begin; }

static uint32_t able_threads(struct cs_thread **able, bool sleepers)
{
    bool early = (cs_shared->request.flags & CS_EARLY) != 0;
    uint32_t count = 0;
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        struct cs_thread *thread = cs_threads[n];
        if (thread->life != CS_LIVE) {
            continue;
        }
        if (handles_signal(thread)) {
            able[count++] = thread;
            continue;
        }
        uint64_t waited = cs_shared->result.operations - thread->since;
        if (thread->next.sleeps && waited > LONGEST_SLEEP && thread->next.deadline != CS_NEVER) {
            cs_now = cs_now > thread->next.deadline ? cs_now : thread->next.deadline;
        }
        bool late = thread->next.deadline <= cs_now || waited > LONGEST_YIELD;
        if (thread->next.sleeps && !sleepers && !early && !late) {
            continue;
        }
        if (is_ready(thread) || thread->next.deadline <= cs_now || (early && thread->next.deadline != CS_NEVER)) {
            able[count++] = thread;
        }
    }
    return cs_model_filter(able, count);
}

/* Let the time pass until a thread can go on; false if none ever can. */
static bool let_time_pass(void)
{
    uint64_t earliest = cs_alarm;
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        struct cs_thread *thread = cs_threads[n];
        if (thread->life == CS_LIVE && thread->next.deadline < earliest) {
            earliest = thread->next.deadline;
        }
    }
    if (earliest == CS_NEVER) {
        return false;
    }
    if (earliest > cs_now) {
        cs_now = earliest;
    }
    if (cs_alarm <= cs_now) {
        cs_hooks.signals_arrive();
    }
    return true;
}

/* Whether a thread has stopped at an assumption that does not hold. */
static bool is_assumed_away(void)
{
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        if (cs_threads[n]->life == CS_LIVE && cs_threads[n]->next.op == CS_assume) {
            return true;
        }
    }
    return false;
}

/* Whether it goes on in spite of the others: it is in a section, and nothing keeps it. */
static bool is_alone(struct cs_thread *running)
{
    return running->sections > 0 && running->life == CS_LIVE && !handles_signal(running) && is_ready(running);
}

static struct cs_thread *choose(struct cs_thread *running, uint64_t *enabled)
{
    if (is_alone(running)) {
        running->next.flags |= CS_IN_SECTION;
        *enabled = running->number < 64 ? 1ul << running->number : 0;
        return running;
    }
    if (cs_arrived != 0 || cs_alarm <= cs_now) {
        cs_hooks.signals_arrive();
    }
    struct cs_thread *able[CS_MOST_THREADS];
    uint32_t count = able_threads(able, false);
    if (count == 0) {
        count = able_threads(able, true);
    } else if (cs_all_wait(able, count)) { /* for one that sleeps, or for a time */
        let_time_pass();
        count = able_threads(able, true);
    }
    while (count == 0) {
        if (!let_time_pass() && !(cs_hooks.wait_for_world != NULL && cs_hooks.wait_for_world())) {
            cs_end(is_assumed_away() ? CS_END_redundant : CS_END_deadlock, 0, NULL, 0, NULL);
        }
        count = able_threads(able, true);
    }
    *enabled = 0;
    for (uint32_t n = 0; n < count; n++) {
        *enabled |= able[n]->number < 64 ? 1ul << able[n]->number : 0;
    }
    uint32_t all = count;
    count = cs_sleep_filter(able, count);
    bool stays = false;
    uint16_t options[CS_MOST_THREADS];
    for (uint32_t n = 0; n < count; n++) {
        options[n] = (uint16_t)able[n]->number;
        stays |= able[n] == running;
    }
    if (all == 1) {
        return able[0];
    }
    int chosen = prescribed(CS_CHOICE_THREAD, options, count);
    struct cs_thread *thread = chosen >= 0 ? cs_threads[chosen]
        : count == 1                       ? able[0]
                                           : cs_strategy_choose(able, count, running, stays);
    note(CS_CHOICE_THREAD, thread->number, all);
    cs_shared->result.preemptions += stays && thread != running;
    return thread;
}

/* ---- the record ---- */

struct cs_entry *cs_record(struct cs_thread *self, enum cs_op op, const void *object, uint64_t argument)
{
    struct cs_shared *shared = cs_shared;
    if (shared->result.entries >= shared->entries.capacity) {
        cs_end(CS_END_log, 0, NULL, 0, NULL);
    }
    struct cs_entry *entry = cs_entry_at(shared->result.entries);
    self->entry = shared->result.entries;
    *entry = (struct cs_entry){
        .op = op,
        .thread = (uint16_t)self->number,
        .object = (uint64_t)object,
        .argument = argument,
        .choice = shared->result.choices,
        .stack = cs_stack(self, cs_caller(self)),
    };
    /* A run that takes too long is killed anywhere: only what is complete counts. */
    __atomic_store_n(&shared->result.entries, self->entry + 1, __ATOMIC_RELEASE);
    return entry;
}

void cs_done(struct cs_thread *self, uint64_t value, uint8_t flags)
{
    cs_entry_at(self->entry)->value = value;
    cs_entry_at(self->entry)->flags |= flags;
    if (flags & CS_FAILED) {
        cs_progress_failed(self);
    }
}

static struct cs_entry *record_announced(struct cs_thread *thread)
{
    const struct cs_announced *next = &thread->next;
    struct cs_entry *entry = cs_record(thread, next->op, (const void *)next->object, next->argument);
    entry->size = next->size;
    entry->order = next->order;
    entry->flags = next->flags;
    entry->stack = next->stack;
    return entry;
}

/* ---- one operation ---- */

static void execute(struct cs_thread *chosen, uint64_t enabled)
{
    if (handles_signal(chosen)) {
        cs_hooks.signal_comes(chosen);
    }
    chosen->timed_out = !is_ready(chosen);
    struct cs_entry *entry = record_announced(chosen);
    entry->enabled = enabled;
    entry->flags |= chosen->timed_out ? CS_TIMED_OUT : 0;
    chosen->operations++;
    chosen->streak++;
    cs_shared->result.thread = chosen->number; /* for a run that is killed */
    cs_strategy_executes(chosen);
    cs_sleep_executes(chosen);
    cs_progress_executes(chosen);
}

/* Returns false if a signal was handled instead. */
static bool go(struct cs_thread *self)
{
    struct cs_result *result = &cs_shared->result;
    cs_settle();
    if (self->cancelled && self->cancel_async) {
        cs_cancel_point(self);
    }
    if (self->next.stack == 0) {
        self->next.stack = cs_stack(self, cs_caller(self));
    }
    self->plain = 0;
    cs_progress_announces(self);
    cs_progress_limit(++result->operations);
    self->since = result->operations;
    cs_now += TICK;
    uint64_t enabled;
    struct cs_thread *chosen = choose(self, &enabled);
    cs_shared->result.switches += chosen != self;
    if (chosen != self) {
        self->streak = 0;
        chosen->next.flags &= (uint8_t)~CS_TIMED_OUT;
    }
    execute(chosen, enabled);
    if (chosen != self) {
        give(chosen);
        cs_await_baton(self);
    }
    if (self->next.op == CS_signal_handled && self->next.ready == NULL) {
        cs_hooks.signal_handle(self);
        return false;
    }
    return true;
}

bool cs_go(struct cs_thread *self)
{
    while (!go(self)) {
    }
    self->next.stack = 0;
    return !self->timed_out;
}

bool cs_block(enum cs_op op, const void *object, uint64_t argument, cs_ready ready, void *subject, uint64_t deadline)
{
    struct cs_thread *self = cs_self;
    self->next = (struct cs_announced){
        .op = op,
        .object = (uint64_t)object,
        .argument = argument,
        .ready = ready,
        .subject = subject,
        .deadline = deadline,
    };
    return cs_go(self);
}

void cs_step(enum cs_op op, const void *object, uint64_t argument)
{
    cs_block(op, object, argument, NULL, NULL, CS_NEVER);
}

/* ---- the end of a thread and of a run ---- */

void cs_finish_thread(struct cs_thread *self)
{
    cs_step(CS_end, (const void *)self->handle, self->number);
    self->life = self->detached ? CS_JOINED : CS_ENDED;
    bool others = false;
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        others |= cs_threads[n]->life == CS_LIVE;
    }
    bool first = self->number == 0; /* it stays: when all others have ended, it ends the process */
    if (!others) {
        if (first) {
            self->life = CS_LIVE;
            return;
        }
        cs_self = NULL;
        dying = self->tid;
        give(cs_threads[0]);
        return;
    }
    uint64_t enabled;
    struct cs_thread *chosen = choose(self, &enabled);
    execute(chosen, enabled);
    cs_shared->result.switches++;
    if (first) {
        give(chosen);
        cs_await_baton(self);
        self->life = CS_LIVE;
        return;
    }
    cs_self = NULL;
    dying = self->tid;
    give(chosen);
}

void cs_record_pending(bool own)
{
    const struct cs_result *result = &cs_shared->result;
    for (uint32_t n = 0; n < cs_thread_count && result->entries < cs_shared->entries.capacity; n++) {
        struct cs_thread *thread = cs_threads[n];
        if (thread->life == CS_LIVE && (thread != cs_self || own) && thread->next.op != 0) {
            record_announced(thread)->flags |= is_ready(thread) ? CS_PENDING : CS_PENDING | CS_BLOCKED;
        }
    }
}

/* A debugger stops here when the run has violated something. */
__attribute__((noinline)) static void cseq_violation(void)
{
    CS_SYSCALL3(SYS_tgkill, CS_SYSCALL1(SYS_getpid, 0), CS_SYSCALL1(SYS_gettid, 0), SIGTRAP);
}

_Noreturn void cs_end(enum cs_end end, int detail, const void *object, uint64_t other, const char *text)
{
    cs_settle();
    struct cs_result *result = &cs_shared->result;
    struct cs_thread *self = cs_self;
    result->detail = detail;
    result->object = (uint64_t)object;
    result->other = other;
    result->thread = self != NULL ? self->number : 0;
    result->stack = self != NULL ? cs_stack(self, cs_caller(self)) : 0;
    if (text != NULL) {
        strncpy(result->text, text, CS_TEXT - 1);
    }
    cs_record_pending(end == CS_END_deadlock);
    __atomic_store_n(&result->end, (uint32_t)end, __ATOMIC_RELEASE);
    bool violated = end >= CS_END_deadlock || (cs_shared->request.flags & CS_FIRST_RACE && result->races > 0);
    if (cs_debugged && violated) {
        cseq_violation();
    }
    for (;;) {
        CS_SYSCALL1(SYS_exit_group, 76);
    }
}

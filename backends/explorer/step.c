/* One transition: leaving a step before its end, crashes, choices, and the accesses that a step announces. */

#include "step.h"

#include "endings/monitor.h"
#include "extent.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

/* The engine whose step is being made; null between steps. Step programs and signals call it without an argument. */
static struct cs_engine *volatile running;

enum { STACK_SIZE = 64 * 1024 }; /* of signal handlers */

extern char __executable_start[], __data_start[], _end[];

static _Noreturn __attribute__((noinline)) void leave(enum cs_outcome outcome)
{
    struct cs_engine *engine = running;

    engine->transition.outcome = outcome;
    running = NULL;
    __builtin_longjmp(engine->guard.way_out, 1);
}

static _Noreturn void leave_with(enum cs_outcome outcome, const char *text)
{
    running->transition.text = text;
    leave(outcome);
}

const char *cs_signal_name(int number)
{
    if (number == CS_OUT_OF_BOUNDS)
        return "bounds";
    return number == SIGSEGV ? "SIGSEGV" : number == SIGBUS ? "SIGBUS" : number == SIGFPE ? "SIGFPE" : "SIGILL";
}

static _Noreturn void crash(int number)
{
    running->transition.signal = number;
    leave(CS_CRASHED);
}

/* What gcc calls in a program that is compiled with -fsanitize=bounds,integer-divide-by-zero. */
void __ubsan_handle_out_of_bounds_abort(void *place, void *index);
void __ubsan_handle_out_of_bounds_abort(void *place, void *index)
{
    (void)place;
    (void)index;
    crash(CS_OUT_OF_BOUNDS);
}

void __ubsan_handle_divrem_overflow_abort(void *place, void *left, void *right);
void __ubsan_handle_divrem_overflow_abort(void *place, void *left, void *right)
{
    (void)place;
    (void)left;
    (void)right;
    crash(SIGFPE);
}

static void on_crash(int number, siginfo_t *what, void *context)
{
    (void)context;
    if (number == SIGSEGV && cs_extent_grows(what->si_addr))
        return;
    if (!running) { /* the engine's own fault */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    crash(number);
}

static void on_tick(int number)
{
    struct cs_guard *guard = running ? &running->guard : NULL;

    (void)number;
    if (!guard)
        return;
    if (guard->seen != guard->begun) {
        guard->seen = guard->begun;
        guard->ticks = 0;
    } else if (++guard->ticks >= guard->most_ticks) {
        leave_with(CS_CUT, guard->overtime);
    }
}

void cs_begin_ticks(void)
{
    struct itimerval interval = {.it_interval.tv_usec = 100000, .it_value.tv_usec = 100000};

    setitimer(ITIMER_VIRTUAL, &interval, NULL);
}

void cs_begin(struct cs_engine *engine, double patience)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct cs_guard *guard = &engine->guard;
    stack_t stack = {.ss_sp = malloc(STACK_SIZE), .ss_size = STACK_SIZE}; /* for as long as there are signals */
    /* The signal mask stays as it is, because the handlers do not return where a step is left. */
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};

    if (!stack.ss_sp)
        abort();
    memset(engine, 0, sizeof *engine);
    guard->most_ticks = (unsigned int)(patience * 10) + 1;
    snprintf(guard->overtime, sizeof guard->overtime, "a transition that does not end within %g s", patience);
    if (&__CSEQ_marks
        && mmap(__CSEQ_marked, __CSEQ_marks ? __CSEQ_marks : 1, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
            == MAP_FAILED)
        abort();
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
    action.sa_handler = on_tick;
    action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
    sigaction(SIGVTALRM, &action, NULL);
    cs_begin_ticks();
}

__attribute__((noinline)) enum cs_outcome cs_make(struct cs_engine *engine, unsigned int thread)
{
    struct cs_transition *made = &engine->transition;

    made->touched = 0;
    made->chosen = 0;
    made->spurious = false;
    engine->guard.astray = false;
    engine->guard.begun++;
    if (__builtin_setjmp(engine->guard.way_out) == 0) {
        running = engine;
        __CSEQ_step(thread);
        running = NULL;
        made->outcome = CS_MADE;
    }
    if (engine->guard.astray && made->outcome != CS_CRASHED) {
        made->outcome = CS_REFUSED;
        made->text = "an access to memory that is not the program's";
    }
    return made->outcome;
}

__attribute__((noinline)) enum cs_outcome cs_protected(struct cs_engine *engine, void (*function)(void *argument),
                                                       void *argument)
{
    engine->guard.begun++;
    if (__builtin_setjmp(engine->guard.way_out) == 0) {
        running = engine;
        function(argument);
        running = NULL;
        engine->transition.outcome = CS_MADE;
    }
    return engine->transition.outcome;
}

bool cs_next_choices(struct cs_transition *made)
{
    /* A step that was left early has not asked for the rest of the script: only what it asked for counts. */
    made->scripted = made->chosen;
    while (made->scripted > 0) {
        struct cs_choice *last = &made->choices[made->scripted - 1];
        if (last->value + 1 < last->count) {
            last->value++;
            return true;
        }
        made->scripted--;
    }
    return false;
}

unsigned long long __CSEQ_choose(unsigned long long count)
{
    struct cs_engine *engine = running;
    struct cs_transition *made = &engine->transition;
    struct cs_choice *choice = &made->choices[made->chosen];
    unsigned long answer;

    switch (cs_monitor_answer(&answer)) {
    case 1:
        return answer;
    case -1:
        leave_with(CS_VIOLATED, CS_NOT_LINEARIZABLE);
    case -2:
        leave_with(CS_REFUSED, "calls with too many explanations");
    default:
        break;
    }
    if (count == 0)
        leave(CS_DROPPED);
    if (made->chosen == CS_MOST_CHOICES)
        leave_with(CS_REFUSED, "more than 1024 choices in one transition");
    if (made->chosen >= made->scripted)
        choice->value = engine->listener.pick ? engine->listener.pick(engine->listener.context, count) : 0;
    else if (choice->value >= count)
        leave_with(CS_REFUSED, "a choice that the program does not have here");
    choice->count = count;
    made->chosen++;
    return choice->value;
}

static bool lies_between(const volatile char *from, unsigned long size, const char *start, const char *end)
{
    return from >= start && from <= end && size <= (size_t)(end - from);
}

/* The linker places constants before all data. A null pointer counts as the program's: it may be announced and never
 * followed, since it is refused or stands for nothing. A step that follows it crashes. */
static bool is_the_programs(const volatile char *from, unsigned long size, unsigned int kind)
{
    return from < (const volatile char *)4096 || lies_between(from, size, __start_cseq_state, __stop_cseq_state)
        || (!(kind & __CSEQ_TOUCH_WRITE) && lies_between(from, size, __executable_start, __data_start));
}

unsigned long long __CSEQ_known_races;

void __CSEQ_touch(const volatile void *at, unsigned long long size, unsigned int kind)
{
    struct cs_engine *engine = running;
    struct cs_transition *made = &engine->transition;

    /* The step goes on: the access may crash by itself, which says more. If it does not, what it does to the state, or
     * to the engine, means nothing, and cs_make refuses the transition. */
    if (!(kind & __CSEQ_TOUCH_EVERYTHING) && !is_the_programs(at, size, kind))
        engine->guard.astray = true;
    if (made->touched == CS_MOST_TOUCHES) {
        made->touches[CS_MOST_TOUCHES - 1].kind = __CSEQ_TOUCH_EVERYTHING;
        if (!(kind & (__CSEQ_TOUCH_EVERYTHING | __CSEQ_TOUCH_NO_RACE)))
            __CSEQ_coarse("one step accesses too much memory: not all of that is compared for data races");
        return;
    }
    made->touches[made->touched++] = (struct cs_touch){at, size, kind, __CSEQ_known_races};
}

void __CSEQ_block(__CSEQ_set who)
{
    running->transition.who = who;
    leave(CS_BLOCKED);
}

void __CSEQ_wakes_spuriously(void)
{
    if (running->stays)
        __CSEQ_block(0);
    running->transition.spurious = true;
}

void __CSEQ_drop(void) { leave(CS_DROPPED); }
void __CSEQ_violate(const char *text) { leave_with(CS_VIOLATED, text); }

void __CSEQ_cut(const char *text)
{
    if (running->on_cut)
        running->on_cut(text);
    leave_with(running->target && !strcmp(running->target, text) ? CS_VIOLATED : CS_CUT, text);
}

void __CSEQ_refuse(const char *text) { leave_with(CS_REFUSED, text); }
void __CSEQ_exit(void) { leave(CS_EXITED); }
void __CSEQ_coarse(const char *text) { cs_note(&running->coarse, text); }

void __CSEQ_at(unsigned int number)
{
    const struct cs_listener *listener = &running->listener;

    if (listener->at)
        listener->at(listener->context, number);
}

void __CSEQ_show(unsigned int number, unsigned long long value)
{
    const struct cs_listener *listener = &running->listener;

    if (listener->show)
        listener->show(listener->context, number, value);
}

void cs_note(struct cs_texts *texts, const char *text)
{
    unsigned int most = sizeof texts->text / sizeof *texts->text;
    const char *copy;

    for (unsigned int i = 0; i < texts->count; i++)
        if (!strcmp(texts->text[i], text))
            return;
    if (texts->count < most && (copy = strdup(text)))
        texts->text[texts->count++] = copy;
}

/* One transition: how a step is left before its end, crashes, choices, and the accesses that it tells. */

#include "step.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

struct cs_transition cs_transition;
struct cs_texts cs_coarse;
unsigned long (*cs_pick)(unsigned long count);
void (*cs_tell_at)(unsigned int number);
void (*cs_tell_show)(unsigned int number, unsigned long long value);

/* Where a step is left to; only good while *inside*. __builtin_setjmp, because setjmp of the C library takes several
 * times as long as an average step. */
static void *way_out[5];
static volatile sig_atomic_t inside;

/* The clock of the watchdog ticks ten times a second of CPU time. */
static volatile unsigned long begun, seen;
static volatile unsigned int ticks, most_ticks;

static char endless[64];

/* Whether the step was about to access memory that is not the program's. The access may crash by itself, which says
 * more; otherwise what it does to the state, or to the engine, means nothing. */
static bool astray;
extern char __executable_start[], __data_start[], _end[];
static char alternate_stack[64 * 1024];

static _Noreturn __attribute__((noinline)) void leave(enum cs_outcome outcome)
{
    cs_transition.outcome = outcome;
    inside = 0;
    __builtin_longjmp(way_out, 1);
}

static _Noreturn void leave_with(enum cs_outcome outcome, const char *text)
{
    cs_transition.text = text;
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
    cs_transition.signal = number;
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

static void on_crash(int number)
{
    if (!inside) { /* the engine's own fault */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    crash(number);
}

static void on_tick(int number)
{
    (void)number;
    if (!inside || seen != begun) {
        seen = begun;
        ticks = 0;
    } else if (++ticks >= most_ticks) {
        leave_with(CS_CUT, endless);
    }
}

void cs_begin(double patience)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    /* The mask stays as it is, because the handlers do not return where a step is left. */
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
    struct itimerval interval = {.it_interval.tv_usec = 100000, .it_value.tv_usec = 100000};

    most_ticks = (unsigned int)(patience * 10) + 1;
    snprintf(endless, sizeof endless, "a transition that does not end within %g s", patience);
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
    action.sa_handler = on_tick;
    action.sa_flags |= SA_RESTART;
    sigaction(SIGVTALRM, &action, NULL);
    setitimer(ITIMER_VIRTUAL, &interval, NULL);
}

__attribute__((noinline)) enum cs_outcome cs_make(unsigned int thread)
{
    cs_transition.touched = 0;
    cs_transition.chosen = 0;
    astray = false;
    begun++;
    if (__builtin_setjmp(way_out) == 0) {
        inside = 1;
        __CSEQ_step(thread);
        inside = 0;
        cs_transition.outcome = CS_MADE;
    }
    if (astray && cs_transition.outcome != CS_CRASHED) {
        cs_transition.outcome = CS_REFUSED;
        cs_transition.text = "an access to memory that is not the program's";
    }
    return cs_transition.outcome;
}

__attribute__((noinline)) enum cs_outcome cs_protected(void (*function)(void *argument), void *argument)
{
    begun++;
    if (__builtin_setjmp(way_out) == 0) {
        inside = 1;
        function(argument);
        inside = 0;
        cs_transition.outcome = CS_MADE;
    }
    return cs_transition.outcome;
}

bool cs_next_choices(void)
{
    struct cs_transition *made = &cs_transition;

    /* A step that was left early has not asked for the rest: what it asked for is all that counts. */
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

unsigned long __CSEQ_choose(unsigned long count)
{
    struct cs_transition *made = &cs_transition;
    struct cs_choice *choice = &made->choices[made->chosen];

    if (count == 0)
        leave(CS_DROPPED);
    if (made->chosen == CS_MOST_CHOICES)
        leave_with(CS_REFUSED, "more than 1024 choices in one transition");
    if (made->chosen >= made->scripted)
        choice->value = cs_pick ? cs_pick(count) : 0;
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

/* Constants lie in front of all data, in what the linker made. A null pointer may be told that is never followed, since
 * it is refused, or stands for nothing; one that is followed is a crash. */
static bool is_the_programs(const volatile char *from, unsigned long size, unsigned int kind)
{
    return from < (const volatile char *)4096 || lies_between(from, size, __start_cseq_state, __stop_cseq_state)
        || (!(kind & __CSEQ_TOUCH_WRITE) && lies_between(from, size, __executable_start, __data_start));
}

void __CSEQ_touch(const volatile void *at, unsigned long size, unsigned int kind)
{
    struct cs_transition *made = &cs_transition;

    if (!(kind & __CSEQ_TOUCH_EVERYTHING) && !is_the_programs(at, size, kind))
        astray = true;
    if (made->touched == CS_MOST_TOUCHES) {
        made->touches[CS_MOST_TOUCHES - 1].kind = __CSEQ_TOUCH_EVERYTHING;
        if (!(kind & (__CSEQ_TOUCH_EVERYTHING | __CSEQ_TOUCH_NO_RACE)))
            cs_note(&cs_coarse, "one step accesses too much memory: not all of that is compared for data races");
        return;
    }
    made->touches[made->touched++] = (struct cs_touch){at, size, kind};
}

void __CSEQ_block(unsigned long long who)
{
    cs_transition.who = who;
    leave(CS_BLOCKED);
}

void __CSEQ_drop(void) { leave(CS_DROPPED); }
void __CSEQ_violate(const char *text) { leave_with(CS_VIOLATED, text); }
void __CSEQ_cut(const char *text) { leave_with(CS_CUT, text); }
void __CSEQ_refuse(const char *text) { leave_with(CS_REFUSED, text); }
void __CSEQ_exit(void) { leave(CS_EXITED); }
void __CSEQ_coarse(const char *text) { cs_note(&cs_coarse, text); }

void __CSEQ_at(unsigned int number)
{
    if (cs_tell_at)
        cs_tell_at(number);
}

void __CSEQ_show(unsigned int number, unsigned long long value)
{
    if (cs_tell_show)
        cs_tell_show(number, value);
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

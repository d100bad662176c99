/* How a run goes wrong by itself: crashes, failed assertions, uncaught exceptions, what UBSan reports. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ucontext.h>
#include <unwind.h>

#include "raw.h"
#include "system.h"

/* `detail` of CS_END_aborted. */
enum { BY_ABORT = 0, BY_ASSERTION = 1, BY_TERMINATE = 2, BY_LIBRARY = 3 };

#define ALTERNATE (64u << 10) /* the size of the stack for the handlers */

static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

/* What went wrong first: a handler of the program may come to abort, or raise the signal again. */
static struct {
    bool known;
    enum cs_end end;
    int detail;
    const void *object;
    uint64_t caller;
    char text[CS_TEXT];
} first;

/* ---- the place ---- */

struct search {
    uint64_t from, found;
    bool seen;
};

static bool in_system(uint64_t pc)
{
    Dl_info info;
    if (dladdr((void *)pc, &info) == 0 || info.dli_fname == NULL) {
        return true;
    }
    return strncmp(info.dli_fname, "/lib", 4) == 0 || strncmp(info.dli_fname, "/usr/lib", 8) == 0;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *given)
{
    struct search *search = given;
    uint64_t pc = _Unwind_GetIP(context);
    search->seen |= pc == search->from;
    if (search->seen && !in_system(pc)) {
        search->found = pc;
        return _URC_END_OF_STACK;
    }
    return _URC_NO_REASON;
}

/* The place in the program's own code from which the code at `pc`, perhaps of a library, was called. */
static uint64_t place_of(uint64_t pc)
{
    if (!in_system(pc)) {
        return pc;
    }
    struct search search = {.from = pc};
    _Unwind_Backtrace(look, &search);
    return search.found != 0 ? search.found : pc;
}

/* ---- the end ---- */

static struct cs_thread *remember(enum cs_end end, int detail, const void *object, uint64_t pc, const char *text)
{
    struct cs_thread *self = cs_self;
    bool inside = self == NULL || self->inside;
    if (!first.known) {
        if (self != NULL) {
            self->inside = true;
            first.caller = inside ? cs_caller(self) : place_of(pc);
        }
        first.known = true;
        first.end = end;
        first.detail = detail;
        first.object = object;
        if (text != NULL) {
            strncpy(first.text, text, CS_TEXT - 1);
        }
    }
    return self;
}

static _Noreturn void finish(void)
{
    struct cs_thread *self = cs_self;
    if (self != NULL) {
        self->inside = true;
        cs_called_from(self, (void *)first.caller);
    }
    cs_end(first.end, first.detail, first.object, 0, first.text);
}

/* What the C library wrote when it aborted. */
static const char *message_of_library(void)
{
    struct message {
        unsigned size;
        char text[];
    };
    struct message **message = dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE");
    return message != NULL && *message != NULL ? (*message)->text : NULL;
}

static bool on_guard(const struct cs_thread *self, uint64_t address, uint64_t stack)
{
    return self != NULL && self->stack_low != 0
        && (address < self->stack_low + 4096 ? address + (1u << 20) > self->stack_low
                                             : stack < self->stack_low + 4096 && stack + (1u << 20) > self->stack_low);
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct cs_thread *self = cs_self;
    if (!cs_active) { /* a child of the run: as if we were not there */
        struct sigaction usual = {.sa_handler = SIG_DFL};
        CS_REAL(sigaction)(signal, &usual, NULL);
        if (info->si_code <= 0) {
            CS_SYSCALL2(SYS_tkill, CS_SYSCALL1(SYS_gettid, 0), signal);
        }
        return;
    }
    uint64_t pc = (uint64_t)registers[REG_RIP];
    bool faulted = info->si_code > 0;
    if (signal == SIGABRT) {
        const char *text = message_of_library();
        remember(CS_END_aborted, text != NULL ? BY_LIBRARY : BY_ABORT, NULL, pc, text);
    } else if (on_guard(self, faulted ? (uint64_t)info->si_addr : 0, (uint64_t)registers[REG_RSP])) {
        remember(CS_END_crashed, signal, info->si_addr, pc, "stack_overflow");
    } else if (!faulted) {
        remember(CS_END_crashed, signal, NULL, pc, "sent");
    } else {
        remember(CS_END_crashed, signal, info->si_addr, signal == SIGTRAP ? pc : pc + 1, NULL);
    }
    if (!cs_program_handles(signal, info, context)) {
        finish();
    }
    first.known = false; /* it goes on */
}

void cs_begin_crashes_of_thread(void)
{
    stack_t stack = {.ss_sp = cs_allocate(ALTERNATE), .ss_size = ALTERNATE};
    CS_SYSCALL2(SYS_sigaltstack, &stack, 0);
}

/* ---- functions that are called when something is wrong ---- */

static _Noreturn void wrong(int detail, const char *text, uint64_t pc)
{
    remember(CS_END_aborted, detail, NULL, pc, text);
    siginfo_t info = {.si_signo = SIGABRT, .si_code = SI_TKILL};
    cs_program_handles(SIGABRT, &info, NULL); /* if it returns, the process ends all the same */
    finish();
}

CS_PUBLIC _Noreturn void abort(void)
{
    if (cs_self == NULL) {
        CS_REAL(abort)();
    }
    wrong(BY_ABORT, NULL, (uint64_t)__builtin_return_address(0));
}

static char *append(char *to, const char *end, const char *text)
{
    while (to < end && *text != '\0') {
        *to++ = *text++;
    }
    return to;
}

extern const char *__progname;

/* What the real function writes. */
static void say(const char *expression, const char *file, unsigned line, const char *function)
{
    char text[1024], digits[12];
    char *to = text, *end = text + sizeof text - 1;
    char *digit = digits + sizeof digits;
    *--digit = '\0';
    do {
        *--digit = (char)('0' + line % 10);
        line /= 10;
    } while (line > 0);
    const char *parts[] = {__progname,
                           ": ",
                           file,
                           ":",
                           digit,
                           ": ",
                           function != NULL ? function : "",
                           function != NULL ? ": " : "",
                           "Assertion `",
                           expression,
                           "' failed."};
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        to = append(to, end, parts[n]);
    }
    *to++ = '\n';
    CS_SYSCALL3(SYS_write, 2, text, to - text);
}

CS_PUBLIC _Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    if (cs_self == NULL) {
        void (*real)(const char *, const char *, unsigned, const char *) = cs_real("__assert_fail");
        real(expression, file, line, function);
        __builtin_unreachable();
    }
    say(expression, file, line, function);
    wrong(BY_ASSERTION, expression, (uint64_t)__builtin_return_address(0));
}

/* How programs for software verifiers say that they fail; some define it themselves. */
CS_PUBLIC __attribute__((weak)) void reach_error(void);
CS_PUBLIC __attribute__((weak)) void reach_error(void)
{
    if (cs_self == NULL) {
        abort();
    }
    wrong(BY_ASSERTION, "reach_error()", (uint64_t)__builtin_return_address(0));
}

CS_PUBLIC _Noreturn void __stack_chk_fail(void)
{
    if (cs_self == NULL) {
        ((void (*)(void))cs_real("__stack_chk_fail"))();
        __builtin_unreachable();
    }
    wrong(BY_LIBRARY, "stack smashing detected", (uint64_t)__builtin_return_address(0));
}

CS_PUBLIC _Noreturn void __cxa_pure_virtual(void)
{
    if (cs_self == NULL) {
        ((void (*)(void))cs_real("__cxa_pure_virtual"))();
        __builtin_unreachable();
    }
    wrong(BY_LIBRARY, "pure virtual method called", (uint64_t)__builtin_return_address(0));
}

/* ---- exceptions ---- */

struct type_info { /* of the Itanium C++ ABI */
    void *vtable;
    const char *name;
};

extern struct type_info *__cxa_current_exception_type(void) __attribute__((weak));
extern void (*set_terminate(void (*)(void)))(void) __asm__("_ZSt13set_terminatePFvvE") __attribute__((weak));

static void (*usual_terminate)(void);

static void on_terminate(void)
{
    const struct type_info *type = __cxa_current_exception_type();
    uint64_t pc = (uint64_t)__builtin_return_address(0);
    if (cs_self != NULL) {
        if (type != NULL) {
            remember(CS_END_exception, 0, NULL, pc, type->name + (*type->name == '*'));
        } else {
            remember(CS_END_aborted, BY_TERMINATE, NULL, pc, NULL);
        }
        cs_self->inside = false;
    }
    usual_terminate(); /* it writes what(), and aborts */
}

/* ---- UBSan ---- */

extern void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file, unsigned *line,
                                            unsigned *column, char **address) __attribute__((weak));

/* UBSan calls it after it has written a report, where the program would go on. */
CS_PUBLIC void __ubsan_on_report(void)
{
    if (cs_self == NULL || __ubsan_get_current_report_data == NULL) {
        return;
    }
    const char *kind, *message, *file;
    unsigned line, column;
    char *address;
    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
    remember(CS_END_undefined, (int)line, address, (uint64_t)__builtin_return_address(0), kind);
    finish();
}

/* ---- the beginning ---- */

void cs_begin_crashes(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t n = 0; n < sizeof fatal / sizeof *fatal; n++) {
        CS_REAL(sigaction)(fatal[n], &action, NULL);
    }
    if (set_terminate != NULL && __cxa_current_exception_type != NULL) {
        usual_terminate = set_terminate(on_terminate);
    }
    cs_begin_crashes_of_thread();
}

bool cs_is_fatal(int signal)
{
    for (size_t n = 0; n < sizeof fatal / sizeof *fatal; n++) {
        if (fatal[n] == signal) {
            return true;
        }
    }
    return false;
}

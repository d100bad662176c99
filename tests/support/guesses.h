/* Runs a sequentialized program for every guess of where threads are switched out, depth first.
 *
 * The program comes between this file and guesses_main.h. Its memory is restored before each run. An undefined value
 * is always the same, unlikely one, except for _Bool and the choice of the thread that a signal wakes. */
int printf(const char *, ...);
int strcmp(const char *, const char *);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
void *calloc(unsigned long, unsigned long);

static struct {
    void *start[5];
    unsigned char *memory;
    int depth, length, failures;
    int value[1000], limit[1000];
    const char *failure[100];
} *explorer;

static int explorer_choose(int values)
{
    if (explorer->depth == explorer->length) {
        explorer->value[explorer->length] = 0;
        explorer->limit[explorer->length++] = values;
    }
    return explorer->value[explorer->depth++];
}

static void __CSEQ_assume(int holds)
{
    if (!holds)
        __builtin_longjmp(explorer->start, 1);
}

static void __CSEQ_assert(int holds, const char *what)
{
    int i = 0;

    if (holds)
        return;
    while (i < explorer->failures && strcmp(explorer->failure[i], what))
        i++;
    if (i == explorer->failures)
        explorer->failure[explorer->failures++] = what;
}

static void __CSEQ_unwound(int holds, const char *what) { __CSEQ_assume(holds); }
static void __CSEQ_havoc(void *object, unsigned long size) { memset(object, 0xA5, size); }
static void __CSEQ_fresh(void *block, unsigned long size) { __CSEQ_havoc(block, size); }
static void __CSEQ_zero(void *object, unsigned long size) { memset(object, 0, size); }
static unsigned __CSEQ_nondet_bits_1(void) { return explorer_choose(1 << 1); }
static unsigned __CSEQ_nondet_bits_2(void) { return explorer_choose(1 << 2); }
static unsigned __CSEQ_nondet_bits_3(void) { return explorer_choose(1 << 3); }
static unsigned __CSEQ_nondet_bits_4(void) { return explorer_choose(1 << 4); }
static unsigned __CSEQ_nondet_bits_5(void) { return explorer_choose(1 << 5); }
static unsigned __CSEQ_nondet_bits_6(void) { return explorer_choose(1 << 6); }
static _Bool __CSEQ_nondet_bool(void) { return explorer_choose(2); }
static unsigned long long __CSEQ_nondet_ulonglong(void) { return 1ULL << explorer_choose(5); }
static char __CSEQ_nondet_char(void) { return 0x5A; }
static unsigned char __CSEQ_nondet_uchar(void) { return 0xA5; }
static short __CSEQ_nondet_short(void) { return 0x5A5A; }
static unsigned short __CSEQ_nondet_ushort(void) { return 0xA5A5; }
static int __CSEQ_nondet_int(void) { return 0x5A5A5A5A; }
static unsigned __CSEQ_nondet_uint(void) { return 0xA5A5A5A5; }
static long __CSEQ_nondet_long(void) { return 0x5A5A5A5A; }
static unsigned long __CSEQ_nondet_ulong(void) { return 0xA5A5A5A5; }
static void *__CSEQ_nondet_pointer(void) { return (void *)16; }

#define main sequentialized_main

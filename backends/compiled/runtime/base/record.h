/* What the runtime and its client share: a file that both have mapped. `modules/compiled/client/record.py` has the same
 * layout. All numbers are little-endian; there are no pointers of our own in it, only addresses of the program.
 *
 * The file: struct cs_shared, then the arrays that it names, each at an offset that the client chose.
 */
#ifndef CSEQ_RECORD_H
#define CSEQ_RECORD_H

#include <stdint.h>

#define CS_MAGIC 0x43534551u
#define CS_LAYOUT 2u
#define CS_TEXT 256

enum cs_op {
#define CS_OP(number, name, class) CS_##name = number,
#include "operations.def"
#undef CS_OP
};

enum cs_end {
#define CS_END(number, name) CS_END_##name = number,
#include "violations.def"
#undef CS_END
};

enum cs_misuse {
#define CS_MISUSE(number, name) CS_MISUSE_##name = number,
#include "misuses.def"
#undef CS_MISUSE
};

/* What a choice is about. */
enum cs_choice_kind {
    CS_CHOICE_THREAD = 1,  /* value: the number of the thread that goes on */
    CS_CHOICE_WAITER = 2,  /* value: which of the waiting threads a signal wakes, from 0 */
    CS_CHOICE_TIMEOUT = 3, /* value: 1 if a timed wait ends without a signal */
    CS_CHOICE_STORE = 4,   /* value: how many stores back the value is that an atomic load reads */
    CS_CHOICE_FAILS = 5,   /* value: 1 if a weak compare-exchange or a trylock fails spuriously */
    CS_CHOICE_SIGNAL = 6,  /* value: which of the threads a process signal is delivered to, from 0 */
    CS_CHOICE_HEAP = 7,    /* value: 1 if freed memory is used again at once */
    CS_CHOICE_VALUE = 8    /* value: a part of a value that can be anything */
};

/* One decision of a run, in order of time: what is needed to repeat it. */
struct cs_choice {
    uint8_t kind;
    uint8_t alternatives; /* how many there were, at most 255 */
    uint16_t value;
};

enum cs_entry_flag {
    CS_FAILED = 1, /* the operation had no effect: a try that failed, a wait that timed out */
    CS_TIMED_OUT = 2,
    CS_PENDING = 4,       /* at the end of a record: announced by a thread that has not executed it */
    CS_BLOCKED = 8,       /* with CS_PENDING: it cannot be executed in the last state */
    CS_OBSERVED = 16,     /* a plain access that is no switch point, recorded because the client asked for details */
    CS_STACK_MEMORY = 32, /* the object is in the stack of a thread */
    CS_IN_SECTION = 64    /* part of what began with the thread's last CS_section: no other thread could go on */
};

#define CS_UNKNOWN 127 /* see `unheard` */
#define CS_LOOSE 128   /* the operation reads a value of another thread, but does not synchronise with its store */

/* One operation that was executed, in order of time; at the end, those that are announced. */
struct cs_entry {
    uint16_t op; /* enum cs_op */
    uint16_t thread;
    uint8_t flags;
    uint8_t size;  /* of an access, in bytes */
    uint8_t order; /* of an atomic operation: 0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst */
    /* Of an atomic operation in an exhaustive search, 0 if that was not looked at. The lower 7 bits: 1 + the number of
     * the newest stores that the thread need not have heard of by what happened before; 127: perhaps all. CS_LOOSE. */
    uint8_t unheard;
    uint32_t stack;  /* a node of the call stacks: where the thread was; its first frame is the place itself */
    uint32_t choice; /* how many choices had been made when the thread went on */
    uint64_t object;
    uint64_t value;
    uint64_t argument;
    uint64_t enabled; /* the threads 0 to 63 that could have gone on instead, this one included: a bit each */
};

/* A node of the call stacks: a return address (or the address of the access), and the caller's node. 0 is no node. */
struct cs_frame {
    uint64_t pc;
    uint32_t caller;
    uint32_t spare;
};

enum cs_access_kind { CS_ACCESS_READ = 0, CS_ACCESS_WRITE = 1, CS_ACCESS_FREE = 2 };

struct cs_side {
    uint64_t pc;
    uint32_t stack;
    uint32_t entry; /* how many entries the record had when the access was made */
    uint16_t thread;
    uint8_t kind; /* enum cs_access_kind */
    uint8_t atomic;
    uint8_t size;
    uint8_t is_volatile;
    uint8_t spare[2];
};

/* A data race: two accesses that nothing orders. The second is the one that was made when it was noticed. */
struct cs_race {
    struct cs_side first, second;
    uint64_t address;
    uint64_t value; /* of the memory when it was noticed */
};

/* A thread of the run. */
struct cs_thread_info {
    uint64_t start;  /* the address of its start function; of a std::thread, of libstdc++'s */
    uint64_t handle; /* its pthread_t */
    uint32_t stack;  /* where it was created */
    uint16_t creator;
    uint16_t number;
    uint64_t stack_low, stack_high;
};

/* A block of memory from malloc or new, for names. state: 1 allocated, 2 freed. */
struct cs_block_info {
    uint64_t address, size;
    uint32_t allocated, freed; /* stacks */
    uint16_t thread, freeing_thread;
    uint32_t state;
};

enum cs_strategy {
    CS_STRATEGY_RUN = 0,     /* the running thread goes on while it can; then the lowest number */
    CS_STRATEGY_WALK = 1,    /* random walk */
    CS_STRATEGY_PCT = 2,     /* depth: the number of priority changes plus 1 */
    CS_STRATEGY_POS = 3,     /* partial order sampling */
    CS_STRATEGY_SURW = 4,    /* random walk weighted by remaining operations; `weights` from earlier runs */
    CS_STRATEGY_ROUND = 5,   /* round robin at each operation */
    CS_STRATEGY_PREEMPT = 6, /* random, with at most `depth` preemptions, at places chosen among `length` */
    CS_STRATEGY_PCTWM = 7,   /* with CS_WEAK; depth: how many loads may read what their thread does not know of */
};

enum cs_request_flag {
    CS_DETAIL = 1,       /* record plain accesses too, and what the runtime knows of blocks */
    CS_WEAK = 2,         /* older values for relaxed and acquire loads */
    CS_EARLY = 4,        /* timed waits and sleeps may end at any time, not only when no other thread can run */
    CS_NO_RACES = 8,     /* do not look for data races */
    CS_STRICT = 16,      /* a prescribed choice that is impossible ends the run as diverged; otherwise it is skipped */
    CS_SPURIOUS = 32,    /* spurious wake-ups and failures are choices */
    CS_FIRST_RACE = 64,  /* the run ends (as exited, with the race recorded) at the first data race */
    CS_SLEEP_SETS = 128, /* after the prescribed choices, threads in `asleep` do not go on until something depends */
    CS_REAL_TIME = 256,  /* replay under a debugger: no watchdog */
    CS_KEEP_HEAP = 512   /* no quarantine: freed memory is used again at once */
};

/* What a run depends on besides its choices: an exhaustive search of its schedules then proves less. */
enum cs_world {
    CS_WORLD_CLOCK = 1,     /* it has read the time */
    CS_WORLD_INPUT = 2,     /* it has read what other processes write, or waited for it */
    CS_WORLD_RANDOM = 4,    /* it has read random numbers of the system */
    CS_WORLD_AWAITED = 8,   /* a loop that waits for a change was not repeated until there was one */
    CS_WORLD_REUSED = 16,   /* memory was freed while several threads were there, and is not used again at once */
    CS_WORLD_PROCESS = 32,  /* it has started processes */
    CS_WORLD_MODEL = 64,    /* not that, but a scheduling model of the user decides: no operations commute */
    CS_WORLD_IN_MODEL = 128 /* the model has been called and has not returned */
};

#define CS_MOST_THREADS 1024
#define CS_MOST_WEIGHTS 64

/* What the client asks for: a number of runs with one strategy and consecutive seeds. */
struct cs_request {
    uint32_t runs;
    uint32_t strategy;
    uint64_t seed;
    uint32_t flags;
    uint32_t depth;
    uint64_t steps;        /* the limit of visible operations of a run */
    uint32_t milliseconds; /* the limit of time of a run */
    uint32_t length;       /* the expected number of visible operations, for PCT and others */
    uint32_t prescribed;   /* how many choices of the array `choices` come first */
    uint32_t sites;        /* how many addresses in the array `sites` are switch points (the pc of plain accesses) */
    uint64_t asleep;       /* the threads 0 to 63 that sleep after the prescribed choices */
    uint32_t weights[CS_MOST_WEIGHTS]; /* the expected number of operations of each thread */
    int32_t status;                    /* the exit status that is expected; -1: any */
    uint32_t batch_milliseconds;       /* after that, no other run is begun */
};

/* What a run did. */
struct cs_result {
    uint32_t end; /* enum cs_end */
    int32_t detail;
    uint64_t object, other;
    uint32_t thread; /* the one that did it */
    uint32_t stack;
    uint32_t entries, choices, frames, threads, blocks, races; /* how many there are in the arrays */
    uint64_t operations;                                       /* visible ones */
    uint64_t plain;                                            /* plain accesses */
    uint64_t schedule;                                         /* a hash of the run up to commutations */
    uint64_t nanoseconds;                                      /* real time */
    uint32_t runs;        /* of the request, that were made; the last is the one described */
    uint32_t switches;    /* context switches */
    uint32_t preemptions; /* those away from a thread that could have gone on */
    uint32_t spinning;    /* with steps or time: how many of the last 1000 operations were reads without news */
    uint32_t world;       /* enum cs_world, added up */
    uint32_t modules;     /* how many there are in the array */
    char text[CS_TEXT];
};

/* What a run did, in short: one for each run of a request, in the array `briefs`. */
struct cs_brief {
    uint64_t schedule;
    uint32_t operations;
    uint16_t end, races;
};

#define CS_PATH 240

/* A library that the run has loaded: where it is in memory. */
struct cs_module {
    uint64_t base, end;
    char path[CS_PATH];
};

struct cs_array {
    uint64_t offset;
    uint32_t capacity; /* in elements */
    uint32_t spare;
};

struct cs_shared {
    uint32_t magic, layout;
    struct cs_request request;
    struct cs_result result;
    struct cs_array given;   /* struct cs_choice: those that are prescribed */
    struct cs_array sites;   /* uint64_t */
    struct cs_array choices; /* struct cs_choice: those that were made */
    struct cs_array entries; /* struct cs_entry */
    struct cs_array frames;  /* struct cs_frame */
    struct cs_array threads; /* struct cs_thread_info */
    struct cs_array races;   /* struct cs_race */
    struct cs_array blocks;  /* struct cs_block_info */
    struct cs_array briefs;  /* struct cs_brief */
    struct cs_array known;   /* uint64_t: pairs of pcs of races that are known already; the count comes first */
    struct cs_array modules; /* struct cs_module: libraries that the run has loaded */
};

#endif

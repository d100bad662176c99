/* What the programs of GenMC take from its header, for other tools: hints are left out, the rest is standard C. */
#ifndef CSEQ_BENCHMARK_GENMC_H
#define CSEQ_BENCHMARK_GENMC_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);

typedef pthread_t __VERIFIER_thread_t;

static inline pthread_t __VERIFIER_spawn(void *(*run)(void *), void *argument)
{
    pthread_t created;
    pthread_create(&created, NULL, run, argument);
    return created;
}

static inline pthread_t __VERIFIER_spawn_symmetric(void *(*run)(void *), void *argument, pthread_t other)
{
    (void)other;
    return __VERIFIER_spawn(run, argument);
}

static inline void *__VERIFIER_join(pthread_t thread)
{
    void *result;
    pthread_join(thread, &result);
    return result;
}

static inline void __VERIFIER_join_symmetric(pthread_t thread) { __VERIFIER_join(thread); }

#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(condition) ((void)0)
#define __VERIFIER_local_write(store) \
    do { \
        store; \
    } while (0)
#define __VERIFIER_final_write(store) \
    do { \
        store; \
    } while (0)
#define __VERIFIER_helped_CAS(update) \
    do { \
        update; \
    } while (0)
#define __VERIFIER_helping_CAS(update) \
    do { \
        update; \
    } while (0)
#define __VERIFIER_speculative_read(load) (load)
#define __VERIFIER_confirming_read(load) (load)
#define __VERIFIER_confirming_CAS(update) (update)
#define __VERIFIER_final_CAS(update) (update)
#define __VERIFIER_optional(statement) \
    do { \
        statement; \
    } while (0)

#endif

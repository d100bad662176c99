/* What the programs begin with: N threads, which main creates with their numbers and joins. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define AR memory_order_acq_rel
#define SC memory_order_seq_cst
#define LOAD(x, o) atomic_load_explicit(&(x), o)
#define STORE(x, v, o) atomic_store_explicit(&(x), v, o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&(x), v, o)
#define CAS(x, e, v, o) atomic_compare_exchange_strong_explicit(&(x), &(e), v, o, RLX)

#define MAIN(first, end) \
    int main(void) \
    { \
        pthread_t t[N]; \
        first; \
        for (long i = 0; i < N; i++) \
            pthread_create(&t[i], 0, thread, (void *)i); \
        for (int i = 0; i < N; i++) \
            pthread_join(t[i], 0); \
        assert(end); \
        return 0; \
    }

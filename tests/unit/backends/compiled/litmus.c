/* Litmus tests: what the threads of each have read and the last values of x and y go to a file, a line for each. All
 * are made in one run, one after the other.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int x, y, z, r[4];

#define L(place, order) __atomic_load_n(&place, order)
#define S(place, value, order) __atomic_store_n(&place, value, order)
#define F(order) __atomic_thread_fence(order)
#define A(place, order) __atomic_fetch_add(&place, 1, order)
#define RLX __ATOMIC_RELAXED
#define ACQ __ATOMIC_ACQUIRE
#define REL __ATOMIC_RELEASE
#define AR __ATOMIC_ACQ_REL
#define SC __ATOMIC_SEQ_CST

static int exchange(int from, int to)
{
    __atomic_compare_exchange_n(&y, &from, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return from;
}

#define TESTS(T) \
    T(SB, S(x, 1, RLX); r[0] = L(y, RLX), S(y, 1, RLX); r[1] = L(x, RLX), , ) \
    T(SB_ra, S(x, 1, REL); r[0] = L(y, ACQ), S(y, 1, REL); r[1] = L(x, ACQ), , ) \
    T(SB_sc, S(x, 1, SC); r[0] = L(y, SC), S(y, 1, SC); r[1] = L(x, SC), , ) \
    T(SB_fences, S(x, 1, RLX); F(SC); r[0] = L(y, RLX), S(y, 1, RLX); F(SC); r[1] = L(x, RLX), , ) \
    T(SB_one_fence, S(x, 1, RLX); F(SC); r[0] = L(y, RLX), S(y, 1, RLX); r[1] = L(x, RLX), , ) \
    T(SB_ar_fences, S(x, 1, RLX); F(AR); r[0] = L(y, RLX), S(y, 1, RLX); F(AR); r[1] = L(x, RLX), , ) \
    T(SB_fence_and_sc, S(x, 1, RLX); F(SC); r[0] = L(y, RLX), S(y, 1, SC); r[1] = L(x, SC), , ) \
    T(MP, S(x, 1, RLX); S(y, 1, RLX), r[0] = L(y, RLX); r[1] = L(x, RLX), , ) \
    T(MP_ra, S(x, 1, RLX); S(y, 1, REL), r[0] = L(y, ACQ); r[1] = L(x, RLX), , ) \
    T(MP_rel, S(x, 1, RLX); S(y, 1, REL), r[0] = L(y, RLX); r[1] = L(x, RLX), , ) \
    T(MP_fences, S(x, 1, RLX); F(REL); S(y, 1, RLX), r[0] = L(y, RLX); F(ACQ); r[1] = L(x, RLX), , ) \
    T(MP_sequence, S(x, 1, RLX); S(y, 1, REL), exchange(1, 2), r[0] = L(y, ACQ); r[1] = L(x, RLX), ) \
    T(MP_broken, S(x, 1, RLX); S(y, 1, REL), if (L(y, RLX)) S(y, 2, RLX), r[0] = L(y, ACQ); r[1] = L(x, RLX), ) \
    T(LB, r[0] = L(x, RLX); S(y, 1, RLX), r[1] = L(y, RLX); S(x, 1, RLX), , ) \
    T(IRIW, S(x, 1, RLX), S(y, 1, RLX), r[0] = L(x, ACQ); r[1] = L(y, ACQ), r[2] = L(y, ACQ); r[3] = L(x, ACQ)) \
    T(IRIW_sc, S(x, 1, SC), S(y, 1, SC), r[0] = L(x, SC); r[1] = L(y, SC), r[2] = L(y, SC); r[3] = L(x, SC)) \
    T(IRIW_fences, S(x, 1, RLX), S(y, 1, RLX), r[0] = L(x, RLX); F(SC); r[1] = L(y, RLX), r[2] = L(y, RLX); F(SC); \
      r[3] = L(x, RLX)) \
    T(RWC, S(x, 1, RLX), r[0] = L(x, ACQ); r[1] = L(y, RLX), S(y, 1, RLX); F(SC); r[2] = L(x, RLX), ) \
    T(RWC_fences, S(x, 1, RLX), r[0] = L(x, RLX); F(SC); r[1] = L(y, RLX), S(y, 1, RLX); F(SC); r[2] = L(x, RLX), ) \
    T(WRC, S(x, 1, RLX), r[0] = L(x, RLX); S(y, 1, RLX), r[1] = L(y, RLX); r[2] = L(x, RLX), ) \
    T(WRC_ra, S(x, 1, REL), r[0] = L(x, ACQ); S(y, 1, REL), r[1] = L(y, ACQ); r[2] = L(x, RLX), ) \
    T(ISA2, S(x, 1, RLX); S(y, 1, REL), r[0] = L(y, ACQ); S(z, 1, REL), r[1] = L(z, ACQ); r[2] = L(x, RLX), ) \
    T(CoRR, S(x, 1, RLX), r[0] = L(x, RLX); r[1] = L(x, RLX), , ) \
    T(CoRR2, S(x, 1, RLX), S(x, 2, RLX), r[0] = L(x, RLX); r[1] = L(x, RLX), r[2] = L(x, RLX); r[3] = L(x, RLX)) \
    T(CoRR_hb, S(x, 1, RLX), r[0] = L(x, RLX); S(y, 1, REL), r[1] = L(y, ACQ); r[2] = L(x, RLX), ) \
    T(CoWR, S(x, 1, RLX); r[0] = L(x, RLX), S(x, 2, RLX); r[1] = L(x, RLX), , ) \
    T(CoRW, r[0] = L(x, RLX); S(x, 2, RLX), S(x, 1, RLX); r[1] = L(x, RLX); r[2] = L(x, RLX), , ) \
    T(WW22, S(x, 1, SC); S(y, 2, SC), S(y, 1, SC); S(x, 2, SC), , ) \
    T(R, S(x, 1, RLX); S(y, 1, RLX), S(y, 2, RLX); r[0] = L(x, RLX), , ) \
    T(R_fences, S(x, 1, RLX); F(SC); S(y, 1, RLX), S(y, 2, RLX); F(SC); r[0] = L(x, RLX), , ) \
    T(S_ra, S(x, 2, RLX); S(y, 1, REL), r[0] = L(y, ACQ); S(x, 1, RLX), , ) \
    T(RMW, r[0] = A(x, RLX), r[1] = A(x, RLX), r[2] = A(x, RLX), ) \
    T(spin, S(x, 1, RLX), while (!L(x, RLX)); r[0] = 1, , )

#define DEFINE(name, first, second, third, fourth) \
    static void *name##_1(void *argument) \
    { \
        first; \
        return argument; \
    } \
    static void *name##_2(void *argument) \
    { \
        second; \
        return argument; \
    } \
    static void *name##_3(void *argument) \
    { \
        third; \
        return argument; \
    } \
    static void *name##_4(void *argument) \
    { \
        fourth; \
        return argument; \
    }
#define ENTRY(name, first, second, third, fourth) \
    {#name, {name##_1, name##_2, (#third)[0] != '\0' ? name##_3 : NULL, (#fourth)[0] != '\0' ? name##_4 : NULL}},

TESTS(DEFINE)

int main(int count, char **arguments)
{
    const struct {
        const char *name;
        void *(*threads[4])(void *);
    } tests[] = {TESTS(ENTRY)};
    char text[4096];
    int used = 0;
    for (unsigned n = 0; n < sizeof tests / sizeof tests[0]; n++) {
        x = y = z = r[0] = r[1] = r[2] = r[3] = 0;
        pthread_t threads[4];
        for (int k = 0; k < 4 && tests[n].threads[k] != NULL; k++) {
            pthread_create(&threads[k], NULL, tests[n].threads[k], NULL);
        }
        for (int k = 0; k < 4 && tests[n].threads[k] != NULL; k++) {
            pthread_join(threads[k], NULL);
        }
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %d%d%d%d x%d y%d\n", tests[n].name, r[0], r[1],
                         r[2], r[3], x, y);
    }
    int file = count == 2 ? open(arguments[1], O_WRONLY | O_CREAT | O_APPEND, 0600) : 1;
    return write(file, text, (size_t)used) != used;
}

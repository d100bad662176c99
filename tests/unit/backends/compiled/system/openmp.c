/* OpenMP: used correctly (the first modes), and wrongly. */
#undef NDEBUG
#include <assert.h>
#include <omp.h>

#include "../primitives/primitives.h"

static int sum, array[20];

static void loops(void)
{
#pragma omp parallel for
    for (int n = 0; n < 20; n++)
        array[n] = n;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
    for (int n = 0; n < 20; n++)
        sum += array[n];
    assert(sum == 190);
#pragma omp parallel for schedule(guided, 2) collapse(2)
    for (int n = 0; n < 4; n++)
        for (int m = 0; m < 4; m++)
            array[n * 4 + m] = 1;
    assert(array[15] == 1);
}

static void critical(void)
{
#pragma omp parallel for
    for (int n = 0; n < 6; n++) {
#pragma omp critical
        sum += n;
    }
    assert(sum == 15);
}

static void atomic(void)
{
#pragma omp parallel for
    for (int n = 0; n < 6; n++) {
#pragma omp atomic
        sum += n;
    }
    assert(sum == 15);
}

static void single(void)
{
#pragma omp parallel
    {
        int copied;
#pragma omp single copyprivate(copied)
        copied = sum = 7;
        assert(sum == 7 && copied == 7);
#pragma omp barrier
#pragma omp master
        sum = 8;
    }
    assert(sum == 8);
}

static void tasks(void)
{
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(x) depend(out : x)
        x = 1;
#pragma omp task shared(x, y) depend(in : x)
        y = x + 1;
#pragma omp taskwait
        sum = x + y;
    }
    assert(sum == 3);
}

static void ordered(void)
{
#pragma omp parallel for ordered schedule(dynamic)
    for (int n = 0; n < 6; n++) {
#pragma omp ordered
        assert(sum++ == n);
    }
}

static void sections(void)
{
    int x = 0, y = 0;
#pragma omp parallel sections
    {
#pragma omp section
        x = 1;
#pragma omp section
        y = 2;
    }
    assert(x == 1 && y == 2);
}

static void locks(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel for
    for (int n = 0; n < 6; n++) {
        omp_set_lock(&lock);
        sum += n;
        omp_unset_lock(&lock);
    }
    assert(sum == 15);
    omp_destroy_lock(&lock);
}

static void unprotected(void)
{
#pragma omp parallel for
    for (int n = 0; n < 6; n++)
        sum += n;
}

static void unordered(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        sum++;
#pragma omp task
        sum++;
    }
}

static void crossed(void)
{
    omp_lock_t lock[2];
    omp_init_lock(&lock[0]);
    omp_init_lock(&lock[1]);
#pragma omp parallel num_threads(2)
    {
        int own = omp_get_thread_num();
        omp_set_lock(&lock[own]);
        omp_set_lock(&lock[1 - own]);
        omp_unset_lock(&lock[1 - own]);
        omp_unset_lock(&lock[own]);
    }
}

int main(int count, char **words)
{
    static const struct mode modes[] = {
        MODE(loops),    MODE(critical), MODE(atomic),      MODE(single),    MODE(tasks),   MODE(ordered),
        MODE(sections), MODE(locks),    MODE(unprotected), MODE(unordered), MODE(crossed), {NULL, NULL},
    };
    omp_set_num_threads(3);
    return run(modes, count, words);
}

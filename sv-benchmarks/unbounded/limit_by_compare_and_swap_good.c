/*
 * Guests without end are counted in by compare-and-swap, up to a limit that is
 * any number.
 *
 * Who sees the limit reached stays outside.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned limit, guests;

void *guest(void *arg)
{
    unsigned seen;

    (void)arg;
    do {
        seen = guests;
        if (seen >= limit)
            return NULL;
    } while (!__sync_bool_compare_and_swap(&guests, seen, seen + 1));
    assert(guests <= limit);
    return NULL;
}

int main(void)
{
    pthread_t t;

    limit = __VERIFIER_nondet_uint();
    if (limit == UINT_MAX)
        return 0;
    for (;;)
        pthread_create(&t, NULL, guest, NULL);
}

/* The value from the counterexample for execution number `times` of a call; null if there is none. */
static __attribute__((unused)) const unsigned long long *cseq_given(int call, int times)
{
    for (int i = 0; i < cseq_plan.set_count; i++) {
        const struct cseq_set *set = &cseq_plan.sets[i];
        if (&cseq_threads[set->thread] == cseq_self && set->call == call && set->times == times)
            return &set->bits;
    }
    return 0;
}

/* Copies byte by byte, since the program may have its own memcpy. */
CSEQ_UNSEEN static __attribute__((unused)) void cseq_copy(volatile char *to, const volatile char *from, unsigned long size)
{
    while (size-- > 0)
        *to++ = *from++;
}

/* Gives an uninitialised variable its value from the counterexample. */
static void cseq_set(int call, volatile void *place, unsigned long size, int floating)
{
    const unsigned long long *bits = cseq_given(call, ++cseq_self->calls[call]);
    union { unsigned long long bits; double number; } value;
    if (!bits)
        return;
    value.bits = *bits;
    if (floating == 1)
        *(volatile float *) place = (float) value.number;
    else if (floating == 3)
        *(volatile long double *) place = value.number;
    else
        cseq_copy(place, (char *) &value, size < sizeof value ? size : sizeof value);
}
#define CSEQ_SET(n, place) \
    cseq_set(n, &(place), sizeof(place), _Generic((place), float: 1, double: 2, long double: 3, default: 0))

/* The next input of the calling thread. */
static unsigned long long cseq_input(void)
{
    static __thread int taken;
    int seen = 0;
    for (int i = 0; i < cseq_plan.input_count; i++)
        if (&cseq_threads[cseq_plan.inputs[i].thread] == cseq_self && seen++ == taken) {
            taken++;
            return cseq_plan.inputs[i].bits;
        }
    cseq_stray("it asks for an input that the counterexample does not have");
    return 0;
}

static double cseq_input_double(void)
{
    union { unsigned long long bits; double number; } value = {cseq_input()};
    return value.number;
}

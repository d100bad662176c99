/* Data races: judged in the last state, by where each thread is (modules/analysis/marks.py).
 *
 * There is a race if two threads are about to access the same memory, at least one access is a write, and not both are
 * atomic. The two threads are guessed, and so is the access if a statement makes several. Inside an atomic section,
 * where `__cs_standing` is 2, each access is atomic. A race that is known already does not count: each has two bits, one
 * for either side (modules/core/known_races.py). */

unsigned int __cs_race_first;
unsigned int __cs_race_second;
unsigned char __cs_race_said;
unsigned char __cs_race_told;
unsigned long __cs_race_address[2];
unsigned long __cs_race_size[2];
unsigned char __cs_race_writes[2];
unsigned char __cs_race_is_atomic[2];
unsigned long long __cs_race_here;
unsigned long long __cs_race_sides[2];

void __cs_race_begin(void) {
    __cs_race_first = __CSEQ_nondet_uint();
    __cs_race_second = __CSEQ_nondet_uint();
    __CSEQ_assume(__cs_race_first < __cs_race_second && __cs_race_second < __CSEQ_THREADS);
}

int __cs_race_asks(unsigned int thread) {
    __cs_race_told = 0;
    __cs_standing = 1;
    return thread == __cs_race_first || thread == __cs_race_second;
}

void __cs_race_known(unsigned long long sides) {
    __cs_race_here = sides;
}

void __cs_race_accesses(unsigned long address, unsigned long size, int writes, int is_atomic) {
    unsigned int second = __CSEQ_thread == __cs_race_second;
    if (size == 0 || __cs_race_said == 1 + second || !__CSEQ_nondet_bool())
        return;
    __cs_race_said = 1 + second;
    __cs_race_told = 1;
    __cs_race_address[second] = address;
    __cs_race_sides[second] = __cs_race_here;
    __cs_race_size[second] = size;
    __cs_race_writes[second] = writes;
    __cs_race_is_atomic[second] = __cs_standing == 2 ? 2 : is_atomic;
}

void __cs_race_end(void) {
    __CSEQ_assume(__cs_race_said == 2);
    __CSEQ_assume(__cs_race_address[0] < __cs_race_address[1] + __cs_race_size[1]);
    __CSEQ_assume(__cs_race_address[1] < __cs_race_address[0] + __cs_race_size[0]);
    __CSEQ_assume(__cs_race_writes[0] || __cs_race_writes[1]);
    __CSEQ_assume(!__cs_race_is_atomic[0] || !__cs_race_is_atomic[1]);
    __CSEQ_assume(!((__cs_race_sides[0] & 0x5555555555555555ULL) << 1 & __cs_race_sides[1]));
    __CSEQ_assume(!((__cs_race_sides[1] & 0x5555555555555555ULL) << 1 & __cs_race_sides[0]));
    __CSEQ_assert(0, "race");
}

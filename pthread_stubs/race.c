/* Data races: judged in the last state, where each thread stands (modules/standing.py).
 *
 * There is a race when two threads stand in front of accesses to the same memory, one of them a write, and not both of
 * them atomic. The two threads are guessed, and so is, where a statement makes several accesses, which one it is. */

unsigned int __cs_race_first;
unsigned int __cs_race_second;
unsigned char __cs_race_said;
unsigned long __cs_race_address;
unsigned long __cs_race_size;
unsigned char __cs_race_writes;
unsigned char __cs_race_is_atomic;
unsigned long __cs_race_told;

void __cs_race_begin(void) {
    __cs_race_first = __CSEQ_nondet_uint();
    __cs_race_second = __CSEQ_nondet_uint();
    __CSEQ_assume(__cs_race_first < __cs_race_second && __cs_race_second < __CSEQ_THREADS);
}

int __cs_race_asks(unsigned int thread) {
    return thread == __cs_race_first || thread == __cs_race_second;
}

void __cs_race_accesses(unsigned long address, unsigned long size, int writes, int is_atomic) {
    __cs_race_told = 0;
    if (size == 0 || __cs_race_said == 1 + (__CSEQ_thread == __cs_race_second) || !__CSEQ_nondet_bool())
        return;
    __cs_race_told = address;
    __cs_race_said = 1 + (__CSEQ_thread == __cs_race_second);
    if (__CSEQ_thread == __cs_race_second) {
        __CSEQ_assume(address < __cs_race_address + __cs_race_size && __cs_race_address < address + size);
        __CSEQ_assume((writes || __cs_race_writes) && !(is_atomic && __cs_race_is_atomic));
    } else {
        __cs_race_address = address;
        __cs_race_size = size;
        __cs_race_writes = writes;
        __cs_race_is_atomic = is_atomic;
    }
}

void __cs_race_end(void) {
    __CSEQ_assume(__cs_race_said == 2);
    __CSEQ_assert(0, "data race");
}

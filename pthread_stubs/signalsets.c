/* Sets of signals, in the first 64 bits of a `sigset_t`, as on Linux. One step each. */

int sigemptyset(void *set) {
    *(unsigned long long *)set = 0;
    return 0;
}

int sigfillset(void *set) {
    *(unsigned long long *)set = 0xfffffffe7fffffffULL;
    return 0;
}

int sigaddset(void *set, int signal) {
    if (signal <= 0 || signal > 64 || signal == 32 || signal == 33) {
        *__errno_location() = __CSEQ_EINVAL;
        return -1;
    }
    *(unsigned long long *)set |= 1ULL << (signal - 1);
    return 0;
}

int sigdelset(void *set, int signal) {
    if (signal <= 0 || signal > 64 || signal == 32 || signal == 33) {
        *__errno_location() = __CSEQ_EINVAL;
        return -1;
    }
    *(unsigned long long *)set &= ~(1ULL << (signal - 1));
    return 0;
}

int sigismember(const void *set, int signal) {
    if (signal <= 0 || signal > 64) {
        *__errno_location() = __CSEQ_EINVAL;
        return -1;
    }
    return (int)(*(const unsigned long long *)set >> (signal - 1) & 1);
}

/* The process: what it gets from outside, and how it ends. */

/* The program may also be run with arguments. */
void __cs_alone(void) {
    __CSEQ_unwound(__CSEQ_nondet_bool(), NO_ARGUMENTS);
}

/* Functions that are called when the process ends, the last one first: by exit, or by quick_exit.
 * A kind says how: 0 without arguments, 1 with the status and an argument. */

void *__cs_exit_function[32];
void *__cs_exit_argument[32];
unsigned char __cs_exit_kind[32];
int __cs_exit_count;
void *__cs_quick_exit_function[32];
int __cs_quick_exit_count;

int atexit(void (*function)(void)) {
    __CSEQ_unwound(__cs_exit_count < 32, HANDLERS, 32);
    if (__cs_exit_count >= 32)
        return -1;
    __cs_exit_function[__cs_exit_count] = (void *)function;
    __cs_exit_kind[__cs_exit_count] = 0;
    __cs_exit_count++;
    return 0;
}

int on_exit(void (*function)(int, void *), void *argument) {
    __CSEQ_unwound(__cs_exit_count < 32, HANDLERS, 32);
    if (__cs_exit_count >= 32)
        return -1;
    __cs_exit_function[__cs_exit_count] = (void *)function;
    __cs_exit_argument[__cs_exit_count] = argument;
    __cs_exit_kind[__cs_exit_count] = 1;
    __cs_exit_count++;
    return 0;
}

int at_quick_exit(void (*function)(void)) {
    __CSEQ_unwound(__cs_quick_exit_count < 32, HANDLERS, 32);
    if (__cs_quick_exit_count >= 32)
        return -1;
    __cs_quick_exit_function[__cs_quick_exit_count] = (void *)function;
    __cs_quick_exit_count++;
    return 0;
}

int __cs_step_next_exit(void) {
    if (__cs_exit_count == 0)
        return 0;
    __cs_exit_count--;
    return __cs_exit_count + 1;
}

void __cs_run_exit(int status) {
    int __cs_slot = __cs_step_next_exit();
    while (__cs_slot != 0) {
        if (__cs_exit_kind[__cs_slot - 1] == 0)
            ((void (*)(void))__cs_exit_function[__cs_slot - 1])();
        else
            ((void (*)(int, void *))__cs_exit_function[__cs_slot - 1])(status, __cs_exit_argument[__cs_slot - 1]);
        __cs_slot = __cs_step_next_exit();
    }
}

int __cs_step_next_quick_exit(void) {
    if (__cs_quick_exit_count == 0)
        return 0;
    __cs_quick_exit_count--;
    return __cs_quick_exit_count + 1;
}

void __cs_run_quick_exit(void) {
    int __cs_slot = __cs_step_next_quick_exit();
    while (__cs_slot != 0) {
        ((void (*)(void))__cs_quick_exit_function[__cs_slot - 1])();
        __cs_slot = __cs_step_next_quick_exit();
    }
}

/* A process whose main has left by pthread_exit ends, as by exit(0), with its last thread. */
unsigned char __cs_has_left[__CSEQ_THREADS];

int __cs_step_is_last(void) {
    unsigned int at = 0;
    int last = 1;
    __cs_has_left[__CSEQ_thread] = 1;
    while (at < __CSEQ_THREADS) {
        if ((at == 0 || __cs_active[at]) && !__cs_has_left[at])
            last = 0;
        at++;
    }
    return last;
}

void __cs_end_of_process(void) {
    if (__cs_step_is_last()) {
        __cs_run_exit(0);
        __CSEQ_stop();
    }
}

/* The process: what it gets from outside, and how it ends. */

/* The program may also be run with arguments. */
void __cs_alone(void) {
    __CSEQ_unwound(__CSEQ_nondet_bool(), NO_ARGUMENTS);
}

/*
 * An interrupt handler is thread 2. It may start at any time while interrupts are enabled, and then runs to its end.
 *
 * While they are disabled it is blocked: it does not take the place of the idle thread, -1.
 */
extern volatile int in_interrupt, interrupts_disabled;

enum { HANDLER = 2 };

int cseq_can_preempt(int a, int b)
{
    if (b < 0)
        return a != HANDLER || in_interrupt || !interrupts_disabled;
    return a == HANDLER && in_interrupt;
}

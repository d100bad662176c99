/*
 * A cooperative scheduler: who runs keeps running until it gives way, by setting running_task to -1.
 *
 * The program says who runs, because only the program knows where a task gives way.
 */
extern volatile int running_task;

int cseq_can_preempt(int a, int b)
{
    return b < 0 || (a == running_task && b != running_task);
}

/* Fixed priorities: thread 2 comes before thread 1. Main, thread 0, comes first, but it only creates and joins. */
static int priority(int thread)
{
    return thread == 0 ? 3 : thread;
}

int cseq_can_preempt(int a, int b)
{
    return b < 0 || priority(a) > priority(b);
}

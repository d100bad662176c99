/* Fences between threads. */
#include "atomics.h"

CS_PUBLIC void __tsan_atomic_thread_fence(int order);
CS_PUBLIC void __tsan_atomic_thread_fence(int order)
{
    struct cs_thread *self = cs_self;
    if (self == NULL || self->inside) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return;
    }
    order &= 15;
    self->inside = true;
    cs_called_from(self, __builtin_return_address(0));
    self->next = (struct cs_announced){
        .op = CS_fence, .order = (uint8_t)order, .argument = (uint64_t)order, .deadline = CS_NEVER};
    cs_go(self);
    if (cs_acquires(order)) {
        cs_acquire(self, &self->acquirable);
        cs_clock_clear(&self->acquirable);
    }
    if (order == __ATOMIC_SEQ_CST && cs_shared->request.flags & CS_WEAK) {
        cs_weak_fence(self);
    }
    if (cs_releases(order)) {
        cs_clock_copy(&self->released, &self->clock);
        self->clock.time[self->number]++;
    }
    self->inside = false;
}

/* It orders a thread and its own signal handlers, which is for the compiler alone. */
CS_PUBLIC void __tsan_atomic_signal_fence(int order);
CS_PUBLIC void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
